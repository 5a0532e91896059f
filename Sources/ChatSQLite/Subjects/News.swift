import Chat
import FoundationEssentials
import GRDB

extension SQLiteStore: NewsStore {
  package func newsFeed(of owner: Int64) async throws -> StoredNewsFeed? {
    try read { try $0.newsFeed(of: owner) }
  }

  package func newsItems(of owner: Int64, from offset: Int, limit: Int) async throws -> [NewsItem] {
    try await readElsewhere { try $0.newsItems(of: owner, from: offset, limit: limit) }
  }

  package func saveNews(_ items: [NewsItem], _ feed: StoredNewsFeed, bounds: NewsBounds) async throws -> Int {
    try await write { try $0.save(items, feed, bounds: bounds) }
  }

  package func githubThing(_ key: String) async throws -> StoredGitHubThing? {
    try read { try $0.githubThing(key) }
  }

  package func githubThings(under prefix: String, limit: Int) async throws -> [StoredGitHubThing] {
    try await readElsewhere { try $0.githubThings(under: prefix, limit: limit) }
  }

  package func saveGitHubThing(
    _ thing: StoredGitHubThing, of authors: [GitHubAccount], bounds: NewsBounds
  ) async throws {
    try await write { try $0.save(thing, of: authors, bounds: bounds) }
  }

  package func deleteGitHubThing(_ key: String) async throws {
    try await write { try $0.delete(thing: key) }
  }
}

extension Database {
  func newsFeed(of owner: Int64) throws -> StoredNewsFeed? {
    try first(
      "SELECT etag, deeper, has_gap, poll_interval, fetched_at FROM news_feeds WHERE owner = ?", [owner]
    ) {
      StoredNewsFeed(
        owner: owner, etag: $0[0], deeper: $0[1], hasGap: $0[2], pollInterval: $0[3], fetchedAt: $0.time(4))
    }
  }

  func newsItems(of owner: Int64, from offset: Int, limit: Int) throws -> [NewsItem] {
    let items = try all(
      """
      SELECT id, created_at, type, action, actor, repository, organization, kind, path, number, title, text, state, ref,
        count, url
      FROM news_items WHERE feed = ? ORDER BY created_at DESC, length(id) DESC, id DESC LIMIT ? OFFSET ?
      """, [owner, limit, offset], Self.decodeNewsItem)
    var accounts: [Int64: GitHubAccount] = [:]
    return try items.map { item in
      var item = item
      // The actor is stored too: a foreign key keeps accounts that an item refers to.
      if let account = try accounts[item.actor.id] ?? githubAccount(id: item.actor.id) {
        accounts[account.id] = account
        item.actor = account
      }
      return item
    }
  }

  /// An item whose actor is known by id only.
  private static func decodeNewsItem(_ row: ResultRow) -> NewsItem {
    let subject = NewsSubject(
      kind: NewsSubject.Kind(rawValue: row[7]) ?? .other, path: row[8], number: row[9], title: row[10], text: row[11],
      state: row[12], ref: row[13], count: row[14])
    return NewsItem(
      id: row[0], type: row[2], action: row[3],
      actor: GitHubAccount(id: row[4], login: "", type: "", avatarURL: ""),
      repository: (row[5] as String?).flatMap { RepositoryName($0) }, organization: row[6], subject: subject,
      url: row[15], createdAt: row.time(1))
  }

  func githubThing(_ key: String) throws -> StoredGitHubThing? {
    try first("SELECT content, etag, fetched_at FROM github_things WHERE key = ?", [key]) { row in
      StoredGitHubThing(key: key, content: row[0], etag: row[1], fetchedAt: row.time(2))
    }
  }

  /// `prefix` ends in a slash; `0` follows it in ASCII, and so ends the range of keys.
  func githubThings(under prefix: String, limit: Int) throws -> [StoredGitHubThing] {
    try all(
      """
      SELECT key, content, etag, fetched_at FROM github_things WHERE key > ? AND key < ?
      ORDER BY fetched_at DESC, key LIMIT ?
      """, [prefix, prefix.dropLast() + "0", limit]
    ) { row in
      StoredGitHubThing(key: row[0], content: row[1], etag: row[2], fetchedAt: row.time(3))
    }
  }
}

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

  /// Inserts an item; returns false if it exists.
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

  /// Stores an account that was part of another record. What is already known of it takes precedence: events omit the
  /// type and write the avatar's URL differently.
  private func recognise(_ account: GitHubAccount, at time: Timestamp) throws {
    guard let known = try database.githubAccount(id: account.id) else { return try keep(account, at: time) }
    guard known.login != account.login else { return }
    var renamed = known
    renamed.login = account.login
    try keep(renamed, at: time)
  }

  /// Removes the feeds requested longest ago. The public feed stays.
  private func forgetFeeds(beyond count: Int) throws {
    let superfluous = try database.all(
      "SELECT owner FROM news_feeds WHERE owner <> 0 ORDER BY fetched_at DESC, owner LIMIT -1 OFFSET ?", [count]
    ) { $0[0] as Int64 }
    for owner in superfluous {
      try database.run("DELETE FROM news_items WHERE feed = ?", [owner])
      try database.run("DELETE FROM news_feeds WHERE owner = ?", [owner])
    }
  }

  func save(_ thing: StoredGitHubThing, of authors: [GitHubAccount], bounds: NewsBounds) throws {
    for author in authors { try recognise(author, at: thing.fetchedAt) }
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
    // A tenth more than needed, so that the next insertion does not have to do it again.
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
