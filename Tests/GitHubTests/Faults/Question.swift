import Chat

@testable import GitHub

/// The requests that the product sends to GitHub's API.
enum Question: CaseIterable, Sendable {
  case users, followers, following, members, search, account, user, userByID, organization, repository, issues, issue
  case pull, release, commit, file, issueComments, commitComments, events

  /// Sends the request; returns whether there is something new. Throws the client's errors.
  func ask(_ client: GitHubClient, etag: String? = nil) async throws -> Bool {
    switch self {
    case .users: try await client.page(of: .users, at: .first, etag: etag) != nil
    case .followers: try await client.page(of: .followers(of: "LOGIN"), at: .first, etag: etag) != nil
    case .following: try await client.page(of: .following(of: "LOGIN"), at: .first, etag: etag) != nil
    case .members: try await client.page(of: .members(of: "LOGIN"), at: .first, etag: etag) != nil
    case .search: try await client.page(of: .search("TEXT"), at: .first, etag: etag) != nil
    case .account: try await client.account(login: "LOGIN").id > 0
    case .user: try await client.user(login: "LOGIN", etag: etag).value != nil
    case .userByID: try await client.user(id: 1, etag: etag).value != nil
    case .organization: try await client.organization(login: "LOGIN", etag: etag).value != nil
    case .repository: try await client.repository(owner: "OWNER", name: "NAME", etag: etag).value != nil
    case .issues: try await client.issues(owner: "OWNER", name: "NAME", etag: etag).value != nil
    case .issue: try await client.issue(owner: "OWNER", name: "NAME", number: 1, etag: etag).value != nil
    case .pull: try await client.pull(owner: "OWNER", name: "NAME", number: 1, etag: etag).value != nil
    case .release: try await client.release(owner: "OWNER", name: "NAME", tag: "TAG", etag: etag).value != nil
    case .commit: try await client.commit(owner: "OWNER", name: "NAME", ref: "SHA", etag: etag).value != nil
    case .file:
      try await client.file(owner: "OWNER", name: "NAME", path: "A/B", commit: "SHA", etag: etag).value != nil
    case .issueComments:
      try await client.comments(owner: "OWNER", name: "NAME", issue: 1, etag: etag).value != nil
    case .commitComments:
      try await client.comments(owner: "OWNER", name: "NAME", commit: "SHA", etag: etag).value != nil
    case .events: try await client.events(of: .receivedPublic(by: "LOGIN"), etag: etag).events != nil
    }
  }

  /// Whether it can be conditional.
  var isConditional: Bool { self != .search && self != .account }
}
