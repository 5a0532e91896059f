/// The directory of GitHub accounts, as the core and the web see it; `GitHub` implements it.
public protocol Directory: Sendable {
  /// What storage has of a page, at once; nil when it was never fetched.
  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage?
  /// A page confirmed by GitHub, or the stored one together with the failure; under its present name where the login was
  /// renamed. A stored page is confirmed by a conditional request, and the first one unasked while it is under a minute
  /// old; a later one under an hour, unless the first has changed since. Throws `DirectoryFailure` when nothing is stored
  /// either, and `CancellationError` to a cancelled caller.
  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage
  /// One account, from storage where known, else from GitHub, else whoever had this login before. Throws
  /// `DirectoryFailure`.
  func account(login: String) async throws -> GitHubAccount
  /// A GitHub account's picture of about `size` pixels, from the cache on disk, revalidated once a day (D8).
  /// Throws `DirectoryFailure`; `.notFound` where the account is not known here.
  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage
  /// How much GitHub lets this instance ask, from what it last told; asks nothing.
  func quota() -> GitHubQuota
}
