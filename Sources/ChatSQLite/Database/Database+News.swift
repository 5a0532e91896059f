import Chat
import FoundationEssentials
import GRDB

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
      // Its actor is stored with it: the schema lets none go that an item names.
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
}
