import Chat
import FoundationEssentials
import GRDB

extension WriteTransaction {
  func save(_ items: [NewsItem], _ feed: StoredNewsFeed, bounds: NewsBounds) throws -> Int {
    try database.run(
      """
      INSERT INTO news_feeds (owner, etag, deeper, has_gap, poll_interval, fetched_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner) DO UPDATE SET etag = excluded.etag, deeper = excluded.deeper, has_gap = excluded.has_gap,
        poll_interval = excluded.poll_interval, fetched_at = excluded.fetched_at
      """,
      [feed.owner, feed.etag, feed.deeper, feed.hasGap, feed.pollInterval, feed.fetchedAt.milliseconds])
    var new = 0
    for item in items where try insert(item, into: feed.owner, at: feed.fetchedAt) { new += 1 }
    try database.run(
      """
      DELETE FROM news_items WHERE feed = ?1 AND (created_at < ?2 OR id IN (
        SELECT id FROM news_items WHERE feed = ?1 ORDER BY created_at DESC, length(id) DESC, id DESC LIMIT -1 OFFSET ?3))
      """, [feed.owner, bounds.oldest.milliseconds, bounds.items])
    try forgetFeeds(beyond: bounds.feeds)
    return new
  }

  /// Keeps an item that is not there yet; false for one that is.
  private func insert(_ item: NewsItem, into feed: Int64, at time: Timestamp) throws -> Bool {
    if try database.exists("SELECT 1 FROM news_items WHERE feed = ? AND id = ?", [feed, item.id]) { return false }
    try recognise(item.actor, at: time)
    let subject = item.subject
    try database.run(
      """
      INSERT INTO news_items (feed, id, created_at, type, action, actor, repository, organization, kind, path, number,
        title, text, state, ref, count, url)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        feed, item.id, item.createdAt.milliseconds, item.type, item.action, item.actor.id, item.repository?.text,
        item.organization, subject.kind.rawValue, subject.path, subject.number, subject.title, subject.text,
        subject.state, subject.ref, subject.count, item.url,
      ])
    return true
  }

  /// Keeps an account that came with something else. What is known of it already is better than what an event tells:
  /// that leaves out the type and writes the picture's address in another way.
  private func recognise(_ account: GitHubAccount, at time: Timestamp) throws {
    guard let known = try database.githubAccount(id: account.id) else { return try keep(account, at: time) }
    guard known.login != account.login else { return }
    var renamed = known
    renamed.login = account.login
    try keep(renamed, at: time)
  }

  /// Those that were asked for longest ago go. Everybody's feed stays.
  private func forgetFeeds(beyond count: Int) throws {
    let superfluous = try database.all(
      "SELECT owner FROM news_feeds WHERE owner <> 0 ORDER BY fetched_at DESC, owner LIMIT -1 OFFSET ?", [count]
    ) { $0[0] as Int64 }
    for owner in superfluous {
      try database.run("DELETE FROM news_items WHERE feed = ?", [owner])
      try database.run("DELETE FROM news_feeds WHERE owner = ?", [owner])
    }
  }

  func save(_ thing: StoredGitHubThing, of author: GitHubAccount?, bounds: NewsBounds) throws {
    if let author { try recognise(author, at: thing.fetchedAt) }
    try database.run(
      """
      INSERT INTO github_things (key, content, etag, fetched_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET content = excluded.content, etag = excluded.etag, fetched_at = excluded.fetched_at
      """, [thing.key, thing.content, thing.etag, thing.fetchedAt.milliseconds])
    let kept = try database.first("SELECT count(*), coalesce(sum(length(content)), 0) FROM github_things") {
      (count: $0[0] as Int, bytes: $0[1] as Int)
    }
    guard var kept, kept.count > bounds.things || kept.bytes > bounds.thingBytes else { return }
    let oldest = try database.all(
      "SELECT key, length(content) FROM github_things WHERE key <> ? ORDER BY fetched_at, key", [thing.key]
    ) { (key: $0[0] as String, bytes: $0[1] as Int) }
    // A tenth more than needed, so that this is not to be done again with the next one.
    for (key, bytes) in oldest {
      if kept.count <= bounds.things - bounds.things / 10, kept.bytes <= bounds.thingBytes - bounds.thingBytes / 10 {
        break
      }
      try delete(thing: key)
      kept = (kept.count - 1, kept.bytes - bytes)
    }
  }

  func delete(thing key: String) throws {
    try database.run("DELETE FROM github_things WHERE key = ?", [key])
  }
}
