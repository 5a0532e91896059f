/// GitHub news as the web sees it; implemented by `GitHub`.
package protocol News: Sendable {
  /// The feed for a person with this GitHub account, or without one.
  func feed(for identity: GitHubAccount.Identity?) -> NewsFeed
  /// A page of a feed, numbered from 1, after polling GitHub if that is due; or the stored one together with the
  /// failure. Throws `DirectoryFailure` if nothing is stored either.
  func page(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage
  /// The stored page, without waiting; empty for a feed that was never fetched.
  func storedPage(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage
}

/// Public objects on GitHub; implemented by `GitHub`.
package protocol GitHubThings: Sendable {
  /// A repository, an issue, a pull request, a release, a commit or lines of a file: from GitHub, or the stored one
  /// while that is fresh or GitHub fails. Throws `DirectoryFailure`; `.notFound` also for what is not public.
  func thing(at address: GitHubAddress) async throws -> GitHubAnswer<GitHubThing>
  /// The first thirty comments on an issue, a pull request or a commit, oldest first, in the same way.
  func comments(on address: GitHubAddress) async throws -> GitHubAnswer<[GitHubComment]>
  /// The issues and pull requests of a repository that match, those changed last first, without their texts: as stored
  /// while that is fresh or GitHub fails, otherwise with GitHub's newest page. Throws `DirectoryFailure`; `.notFound` if
  /// there is no such public repository.
  func issues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]>
  /// The same from storage only, without waiting; nil if nothing of the repository is stored.
  func storedIssues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]>?
  /// A profile, by a current or former login. Throws `DirectoryFailure`.
  func profile(of login: String) async throws -> GitHubAnswer<GitHubProfile>
  /// How many requests `cards(for:)` would send now.
  func requests(forCardsOf references: [String]) async throws -> Int
  /// What the references name, in their order: stored copies of the last hour, and the others from GitHub. If that
  /// fails, older copies; what is not stored is nil then.
  func cards(for references: [String]) async throws -> GitHubCards
}
