// The functions are documented where they are promised: at NewsStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import GRDB

extension SQLiteStore: NewsStore {
  public func newsFeed(of owner: Int64) async throws -> StoredNewsFeed? {
    try read { try $0.newsFeed(of: owner) }
  }

  public func newsItems(of owner: Int64, from offset: Int, limit: Int) async throws -> [NewsItem] {
    try await readElsewhere { try $0.newsItems(of: owner, from: offset, limit: limit) }
  }

  public func saveNews(_ items: [NewsItem], _ feed: StoredNewsFeed, bounds: NewsBounds) async throws -> Int {
    try await write { try $0.save(items, feed, bounds: bounds) }
  }

  public func githubThing(_ key: String) async throws -> StoredGitHubThing? {
    try read { try $0.githubThing(key) }
  }

  public func saveGitHubThing(
    _ thing: StoredGitHubThing, of author: GitHubAccount?, bounds: NewsBounds
  ) async throws {
    try await write { try $0.save(thing, of: author, bounds: bounds) }
  }

  public func deleteGitHubThing(_ key: String) async throws {
    try await write { try $0.delete(thing: key) }
  }
}
