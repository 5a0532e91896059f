import Chat
import Synchronization

/// News and GitHub objects that expect only the calls that a test sets up.
final class ScriptedGitHub: News, GitHubThings {
  struct Unexpected: Error {}

  struct Script: Sendable {
    var page: Result<NewsPage, DirectoryFailure>?
    var storedPage: NewsPage?
    var thing: Result<GitHubAnswer<GitHubThing>, DirectoryFailure>?
    var comments: Result<GitHubAnswer<[GitHubComment]>, DirectoryFailure>?
    var issues: Result<GitHubAnswer<[GitHubThing]>, DirectoryFailure>?
    var storedIssues: GitHubAnswer<[GitHubThing]>??
    var profile: Result<GitHubAnswer<GitHubProfile>, DirectoryFailure>?
    var cards: GitHubCards?
    var cardRequests = 0
    var asked: [String] = []
  }

  private let state = Mutex(Script())

  var script: Script {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  private func note(_ question: String) {
    state.withLock { $0.asked.append(question) }
  }

  func feed(for identity: GitHubAccount.Identity?) -> NewsFeed {
    identity.map { .received(by: $0) } ?? .everybody
  }

  func page(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    note("news \(feed.owner) \(number) \(limit)")
    guard let page = script.page else { throw Unexpected() }
    return try page.get()
  }

  func storedPage(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    note("stored news \(feed.owner) \(number) \(limit)")
    guard let page = script.storedPage else { throw Unexpected() }
    return page
  }

  func thing(at address: GitHubAddress) async throws -> GitHubAnswer<GitHubThing> {
    note(address.key)
    guard let thing = script.thing else { throw Unexpected() }
    return try thing.get()
  }

  func comments(on address: GitHubAddress) async throws -> GitHubAnswer<[GitHubComment]> {
    note(address.key + "/comments")
    guard let comments = script.comments else { throw Unexpected() }
    return try comments.get()
  }

  func issues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]> {
    note("issues \(repository.text) \(limit)")
    guard let issues = script.issues else { throw Unexpected() }
    return try issues.get()
  }

  func storedIssues(
    of repository: RepositoryName, matching filter: IssueFilter, limit: Int
  ) async throws -> GitHubAnswer<[GitHubThing]>? {
    note("stored issues \(repository.text) \(limit)")
    guard let issues = script.storedIssues else { throw Unexpected() }
    return issues
  }

  func profile(of login: String) async throws -> GitHubAnswer<GitHubProfile> {
    note("profile " + login)
    guard let profile = script.profile else { throw Unexpected() }
    return try profile.get()
  }

  func requests(forCardsOf references: [String]) async throws -> Int { script.cardRequests }

  func cards(for references: [String]) async throws -> GitHubCards {
    note("cards " + references.joined(separator: ","))
    guard let cards = script.cards else { throw Unexpected() }
    return cards
  }
}
