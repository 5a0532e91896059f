/// The directory's storage: accounts, and pages of lists with the validators for conditional requests.
package protocol DirectoryStore: Sendable {
  /// A stored page with its accounts, each with the corresponding person here.
  func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage?
  /// Stores a page and its accounts, replacing what was stored for that list and cursor. The total is bounded: the
  /// pages confirmed by GitHub longest ago are evicted first, and with them accounts that nothing else refers to.
  func saveDirectoryPage(_ page: StoredDirectoryPage) async throws
  /// Records that GitHub has confirmed a stored page (304).
  func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws
  /// A stored account by login, ignoring case.
  func githubAccount(login: String) async throws -> GitHubAccount?
  /// The account that had this login before it was renamed, ignoring case; nil if none is known.
  func githubAccount(formerLogin login: String) async throws -> GitHubAccount?
  /// A stored account by GitHub's id.
  func githubAccount(id: Int64) async throws -> GitHubAccount?
  /// Stores an account. An older account with the same login and another id can no longer be looked up by it.
  func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws
}

/// A page of a list as fetched.
package struct StoredDirectoryPage: Sendable {
  /// The list.
  package var list: DirectoryList
  /// The page's cursor: empty for the first, otherwise the `next` of the previous one.
  package var cursor: String
  /// The accounts in GitHub's order.
  package var accounts: [GitHubAccount]
  /// The next page's cursor; nil on the last page.
  package var next: String?
  /// GitHub's ETag, verbatim.
  package var etag: String?
  /// When GitHub last confirmed it.
  package var fetchedAt: Timestamp
  /// When the content of the list's first page last changed, set by the store; nil if that page is not stored.
  package var listChangedAt: Timestamp?
  /// A search's total, which is never stored.
  package var found: SearchCount?

  package init(
    list: DirectoryList, cursor: String, accounts: [GitHubAccount], next: String?, etag: String?, fetchedAt: Timestamp
  ) {
    self.list = list
    self.cursor = cursor
    self.accounts = accounts
    self.next = next
    self.etag = etag
    self.fetchedAt = fetchedAt
  }
}
