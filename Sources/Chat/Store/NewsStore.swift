/// The storage of GitHub's feeds and objects, so that they can be shown without GitHub. All functions throw
/// `ChatError`.
package protocol NewsStore: DirectoryStore {
  /// The state of a feed; nil if it was never fetched.
  func newsFeed(of owner: Int64) async throws -> StoredNewsFeed?
  /// A range of a feed's items, newest first, each with the person here who is its actor.
  func newsItems(of owner: Int64, from offset: Int, limit: Int) async throws -> [NewsItem]
  /// Stores items with their actors, and the state of the feed; existing items stay as they are. Returns the number of
  /// new items. The oldest items beyond `bounds` are removed.
  func saveNews(_ items: [NewsItem], _ feed: StoredNewsFeed, bounds: NewsBounds) async throws -> Int
  /// A stored thing.
  func githubThing(_ key: String) async throws -> StoredGitHubThing?
  /// The things whose keys start with `prefix`, those confirmed last first, at most `limit`.
  func githubThings(under prefix: String, limit: Int) async throws -> [StoredGitHubThing]
  /// Stores a thing and its authors; beyond `bounds`, those confirmed longest ago are removed.
  func saveGitHubThing(_ thing: StoredGitHubThing, of authors: [GitHubAccount], bounds: NewsBounds) async throws
  /// Deletes a thing.
  func deleteGitHubThing(_ key: String) async throws
}

/// The limits of what is stored.
package struct NewsBounds: Sendable {
  /// Items per feed; the same as GitHub's own limit.
  package var items = 300
  /// Feeds, besides the public one.
  package var feeds = 200
  /// Items older than this are removed.
  package var oldest = Timestamp(milliseconds: 0)
  package var things = 2000
  /// The total size of things in bytes.
  package var thingBytes = 16 << 20

  /// The defaults.
  package init() {}
}

/// The state of a feed when last polled.
package struct StoredNewsFeed: Hashable, Sendable {
  /// The feed's owner (`NewsFeed.owner`).
  package var owner: Int64
  /// GitHub's ETag of the first page, verbatim.
  package var etag: String?
  /// The page to load for older items; nil if GitHub has no more.
  package var deeper: String?
  /// Whether items are missing between the first page and older ones: `deeper` leads to them.
  package var hasGap: Bool
  /// GitHub's polling interval in seconds.
  package var pollInterval: Int
  /// When GitHub last responded.
  package var fetchedAt: Timestamp

  package init(
    owner: Int64, etag: String?, deeper: String?, hasGap: Bool = false, pollInterval: Int, fetchedAt: Timestamp
  ) {
    self.owner = owner
    self.etag = etag
    self.deeper = deeper
    self.hasGap = hasGap
    self.pollInterval = pollInterval
    self.fetchedAt = fetchedAt
  }
}

/// A thing as fetched.
package struct StoredGitHubThing: Hashable, Sendable {
  /// Its key (`GitHubAddress.key`).
  package var key: String
  /// The thing, encoded by the code that stored it.
  package var content: [UInt8]
  /// GitHub's ETag, verbatim.
  package var etag: String?
  /// When GitHub last confirmed it.
  package var fetchedAt: Timestamp

  package init(key: String, content: [UInt8], etag: String?, fetchedAt: Timestamp) {
    self.key = key
    self.content = content
    self.etag = etag
    self.fetchedAt = fetchedAt
  }
}
