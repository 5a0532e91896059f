/// What is kept of GitHub's feeds and single things, so that they show without GitHub (N4). All functions throw
/// `ChatError`.
public protocol NewsStore: DirectoryStore {
  /// What is known of a feed, nil where it was never fetched.
  func newsFeed(of owner: Int64) async throws -> StoredNewsFeed?
  /// A part of a feed, newest first, each with the person here who is its actor.
  func newsItems(of owner: Int64, from offset: Int, limit: Int) async throws -> [NewsItem]
  /// Keeps items with their actors and what is known of the feed; an item that is there already stays as it is. Returns
  /// how many were new. What exceeds `bounds` goes, the oldest first.
  func saveNews(_ items: [NewsItem], _ feed: StoredNewsFeed, bounds: NewsBounds) async throws -> Int
  /// A stored thing.
  func githubThing(_ key: String) async throws -> StoredGitHubThing?
  /// Keeps a thing and whoever made it; those that were confirmed longest ago go where there are more than `bounds` let.
  func saveGitHubThing(_ thing: StoredGitHubThing, of author: GitHubAccount?, bounds: NewsBounds) async throws
  /// Forgets a thing.
  func deleteGitHubThing(_ key: String) async throws
}

/// How much is kept.
public struct NewsBounds: Sendable {
  /// Items of a feed: as many as GitHub itself tells of.
  public var items = 300
  /// Feeds, besides everybody's.
  public var feeds = 200
  /// Items older than this go.
  public var oldest = Timestamp(milliseconds: 0)
  /// Single things.
  public var things = 2000
  /// Their bytes in all.
  public var thingBytes = 16 << 20

  /// The usual bounds.
  public init() {}
}

/// A feed as it was last asked for.
public struct StoredNewsFeed: Hashable, Sendable {
  /// Whose it is (`NewsFeed.owner`).
  public var owner: Int64
  /// GitHub's ETag of the first page, verbatim.
  public var etag: String?
  /// The page that leads on to older items which are not here yet; nil where GitHub has no more.
  public var deeper: String?
  /// Whether items between the first page and older ones are missing still: `deeper` leads to them.
  public var hasGap: Bool
  /// How many seconds GitHub wants between two questions.
  public var pollInterval: Int
  /// When GitHub last answered for it.
  public var fetchedAt: Timestamp

  /// A feed from its parts.
  public init(
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

/// A thing as it was fetched.
public struct StoredGitHubThing: Hashable, Sendable {
  /// What it goes by (`GitHubAddress.key`).
  public var key: String
  /// The thing, in the form that whoever stored it reads again.
  public var content: [UInt8]
  /// GitHub's ETag, verbatim.
  public var etag: String?
  /// When GitHub last answered for it.
  public var fetchedAt: Timestamp

  /// A thing from its parts.
  public init(key: String, content: [UInt8], etag: String?, fetchedAt: Timestamp) {
    self.key = key
    self.content = content
    self.etag = etag
    self.fetchedAt = fetchedAt
  }
}
