/// What the directory keeps: accounts, and pages of lists with the validators to ask for them conditionally (D5).
public protocol DirectoryStore: Sendable {
  /// A stored page with its accounts, each with the person here who is that account.
  func directoryPage(of list: DirectoryList, cursor: String) async throws -> StoredDirectoryPage?
  /// Keeps a page and its accounts, replacing what was stored for that list and cursor. What is kept in all is bounded:
  /// the pages that GitHub has not answered for longest leave first, and with them accounts that nothing else names.
  func saveDirectoryPage(_ page: StoredDirectoryPage) async throws
  /// Notes that GitHub has confirmed a stored page (304).
  func confirmDirectoryPage(of list: DirectoryList, cursor: String, at time: Timestamp) async throws
  /// A stored account by login, in any case.
  func githubAccount(login: String) async throws -> GitHubAccount?
  /// The account that had this login before it was renamed, in any case; nil where nobody is known to have had it.
  func githubAccount(formerLogin login: String) async throws -> GitHubAccount?
  /// A stored account by GitHub's id.
  func githubAccount(id: Int64) async throws -> GitHubAccount?
  /// Keeps an account; an older record with the same login and another id loses the login's look-up.
  func saveGitHubAccount(_ account: GitHubAccount, at time: Timestamp) async throws
}

/// A page of a list as it was fetched.
public struct StoredDirectoryPage: Sendable {
  /// The list.
  public var list: DirectoryList
  /// Which page: empty for the first, else the `next` of the page before.
  public var cursor: String
  /// The accounts in GitHub's order.
  public var accounts: [GitHubAccount]
  /// The next page's cursor, or nil at the end.
  public var next: String?
  /// GitHub's ETag, verbatim.
  public var etag: String?
  /// When GitHub last answered for it.
  public var fetchedAt: Timestamp
  /// When the list's first page was last seen to hold others than before, filled in by the store; nil where that page is
  /// not stored.
  public var listChangedAt: Timestamp?
  /// What a search said of itself, which is never stored.
  public var found: SearchCount?

  /// A page from its parts.
  public init(
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
