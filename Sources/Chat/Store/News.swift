/// What happens on GitHub, as the web sees it; `GitHub` implements it (N1, N4).
public protocol News: Sendable {
  /// Whose feed somebody with that GitHub account gets, or nobody's account.
  func feed(for identity: GitHubAccount.Identity?) -> NewsFeed
  /// A page of a feed, counted from 1, and GitHub asked before where that is due; or the stored one together with the
  /// failure. Throws `DirectoryFailure` when nothing is stored either.
  func page(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage
  /// What storage has of a page, at once; nothing for a feed that was never fetched.
  func storedPage(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage
}

/// Single things of GitHub's that everybody may see (N3); `GitHub` implements it.
public protocol GitHubThings: Sendable {
  /// A repository, an issue, a pull request, a release or a commit: from GitHub, or stored while that is fresh or GitHub
  /// fails. Throws `DirectoryFailure`; `.notFound` also for what is not public.
  func thing(at address: GitHubAddress) async throws -> GitHubAnswer<GitHubThing>
  /// A profile, by any login. Throws `DirectoryFailure`.
  func profile(of login: String) async throws -> GitHubAnswer<GitHubProfile>
}
