/// The directory of GitHub accounts as the core and the web see it; implemented by `GitHub`.
package protocol Directory: Sendable {
  /// The stored page, without waiting; nil if it was never fetched.
  func storedPage(of list: DirectoryList, cursor: String) async throws -> DirectoryPage?
  /// A page confirmed by GitHub, or the stored one together with the failure; under the current login if it was
  /// renamed. A stored page is revalidated by a conditional request, unless it is fresh: a first page for a minute, a
  /// later one for an hour unless the first has changed since. Throws `DirectoryFailure` if nothing is stored either,
  /// and `CancellationError` if the caller is cancelled.
  func page(of list: DirectoryList, cursor: String) async throws -> DirectoryPage
  /// An account: the stored one if there is one, otherwise from GitHub, otherwise the one that had this login before.
  /// Throws `DirectoryFailure`.
  func account(login: String) async throws -> GitHubAccount
  /// A GitHub account's picture of about `size` pixels, from the disk cache, revalidated once a day. Throws
  /// `DirectoryFailure`; `.notFound` if the account is not known here.
  func avatar(of githubID: Int64, size: Int) async throws -> AvatarImage
  /// The last reported rate limits of this instance at GitHub. Sends no request.
  func quota() -> GitHubQuota
}
