import Chat
import Synchronization

/// An in-memory news store on top of an in-memory directory store.
final class MemoryNewsStore: NewsStore {
  private struct State {
    var feeds: [Int64: StoredNewsFeed] = [:]
    var items: [Int64: [NewsItem]] = [:]
    var things: [String: StoredGitHubThing] = [:]
    var isBroken = false
  }

  let directory = MemoryDirectoryStore()
  private let state = Mutex(State())

  /// Makes all writes fail from now on.
  func breakDown() { state.withLock { $0.isBroken = true } }

  /// The stored things by key.
  var things: [String: StoredGitHubThing] { state.withLock { $0.things } }

  func newsFeed(of owner: Int64) async throws -> StoredNewsFeed? { state.withLock { $0.feeds[owner] } }

  func newsItems(of owner: Int64, from offset: Int, limit: Int) async throws -> [NewsItem] {
    state.withLock { Array(($0.items[owner] ?? []).dropFirst(offset).prefix(limit)) }
  }

  func saveNews(_ items: [NewsItem], _ feed: StoredNewsFeed, bounds: NewsBounds) async throws -> Int {
    try state.withLock { state in
      if state.isBroken { throw ChatError.unavailable("broken") }
      state.feeds[feed.owner] = feed
      var kept = state.items[feed.owner] ?? []
      let before = kept.count
      for item in items where !kept.contains(where: { $0.id == item.id }) { kept.append(item) }
      let new = kept.count - before
      kept = kept.filter { $0.createdAt >= bounds.oldest }.sorted(by: NewsItem.isNewer)
      state.items[feed.owner] = Array(kept.prefix(bounds.items))
      return new
    }
  }

  func githubThing(_ key: String) async throws -> StoredGitHubThing? { state.withLock { $0.things[key] } }

  func githubThings(under prefix: String, limit: Int) async throws -> [StoredGitHubThing] {
    let found = things.values.filter { $0.key.hasPrefix(prefix) }
    return Array(found.sorted { ($1.fetchedAt, $0.key) < ($0.fetchedAt, $1.key) }.prefix(limit))
  }

  func saveGitHubThing(_ thing: StoredGitHubThing, of authors: [GitHubAccount], bounds: NewsBounds) async throws {
    state.withLock { $0.things[thing.key] = thing }
    for author in authors { try await saveGitHubAccount(author, at: thing.fetchedAt) }
  }

  func deleteGitHubThing(_ key: String) async throws { state.withLock { $0.things[key] = nil } }

  func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage? {
    try await directory.directoryPage(of: list, cursor: cursor)
  }

  func saveDirectoryPage(_ page: StoredDirectoryPage) async throws { try await directory.saveDirectoryPage(page) }

  func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws {
    try await directory.confirmDirectoryPage(of: list, cursor: cursor, at: time)
  }

  func githubAccount(login: String) async throws -> GitHubAccount? { try await directory.githubAccount(login: login) }

  func githubAccount(formerLogin login: String) async throws -> GitHubAccount? {
    try await directory.githubAccount(formerLogin: login)
  }

  func githubAccount(id: Int64) async throws -> GitHubAccount? { try await directory.githubAccount(id: id) }

  func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws {
    try await directory.saveGitHubAccount(account, at: time)
  }
}
