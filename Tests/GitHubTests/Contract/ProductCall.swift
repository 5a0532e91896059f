import Chat
import Outbound

@testable import GitHub

/// The product's call that makes an exchange.
enum ProductCall: Sendable {
  case list(DirectoryList, PageCursor)
  case user(String)
  case userByID(Int64)
  case organization(String)
  /// `GET /user` with a newly issued token.
  case signIn
  case repository(String, String)
  case issue(String, String, Int64)
  case pull(String, String, Int64)
  case commit(String, String, String)
  case events(String, page: Int)

  /// The result of a call.
  struct Outcome: Sendable {
    /// Ids, numbers or hashes in order; nil if the validator was confirmed.
    var names: [String]?
    var next: String?
    var etag: String?
    var pollSeconds: Int64?
  }

  /// The call that makes this exchange; nil if the product has none. A failure means the same for every read: if the
  /// product does not use its endpoint, it is replayed for an account lookup.
  init?(_ exchange: RecordedExchange) {
    let parts = exchange.plainPath.split(separator: "/").map(String.init)
    let page = WebAddress("https://h" + exchange.path)?.queryValue("page").flatMap { Int($0) } ?? 1
    let cursor = page > 1 ? PageCursor.page(page) : .first
    switch (parts.first, parts.count) {
    case ("users", 1): self = .list(.users, cursor)
    case ("users", 2): self = .user(parts[1].replacing("%5B", with: "[").replacing("%5D", with: "]"))
    case ("user", 1): self = .signIn
    case ("user", 2) where parts[1] == "followers": self = .list(.followers(of: "me"), cursor)
    case ("user", 2) where Int64(parts[1]) != nil: self = .userByID(Int64(parts[1]) ?? 0)
    case ("users", 3) where parts[2] == "followers": self = .list(.followers(of: parts[1]), cursor)
    case ("users", 3) where parts[2] == "following": self = .list(.following(of: parts[1]), cursor)
    case ("orgs", 2): self = .organization(parts[1])
    case ("orgs", 3) where ["members", "public_members"].contains(parts[2]):
      self = .list(.members(of: parts[1]), cursor)
    case ("search", 2) where parts[1] == "users": self = .list(.search("x"), cursor)
    case ("repos", 3): self = .repository(parts[1], parts[2])
    case ("repositories", 2): self = .repository("renamed", "repository")
    case ("repos", 5) where parts[3] == "issues" && Int64(parts[4]) != nil:
      self = .issue(parts[1], parts[2], Int64(parts[4]) ?? 0)
    case ("repos", 5) where parts[3] == "pulls" && Int64(parts[4]) != nil:
      self = .pull(parts[1], parts[2], Int64(parts[4]) ?? 0)
    case ("repos", 5...) where parts[3] == "commits":
      self = .commit(parts[1], parts[2], parts[4...].joined(separator: "/"))
    case _ where parts.contains("events") || parts.contains("received_events"):
      self = .events(exchange.plainPath, page: page)
    case _ where exchange.status >= 400: self = .user("any")
    default: return nil
    }
  }

  /// Runs it with `client`, or by signing in with a client of that transport.
  func run(_ client: GitHubClient, signIn: GitHubSignIn, etag: String?) async throws -> Outcome {
    switch self {
    case .list(let list, let cursor):
      guard let page = try await client.page(of: list, at: cursor, etag: etag) else { return Outcome() }
      return Outcome(names: page.accounts.map { String($0.id) }, next: page.next?.text, etag: page.etag)
    case .user(let login):
      return Self.outcome(try await client.user(login: login, etag: etag)) { String($0.account.id) }
    case .userByID(let id):
      return Self.outcome(try await client.user(id: id, etag: etag)) { String($0.account.id) }
    case .organization(let login):
      return Self.outcome(try await client.organization(login: login, etag: etag)) { String($0.account.id) }
    case .signIn:
      let account = try await signIn.account(code: "c", codeVerifier: "v", redirectURI: "r")
      return Outcome(names: [String(account.id)])
    case .repository(let owner, let name):
      return Self.outcome(try await client.repository(owner: owner, name: name, etag: etag)) { String($0.id) }
    case .issue(let owner, let name, let number):
      return Self.outcome(try await client.issue(owner: owner, name: name, number: number, etag: etag)) {
        String($0.number)
      }
    case .pull(let owner, let name, let number):
      return Self.outcome(try await client.pull(owner: owner, name: name, number: number, etag: etag)) {
        String($0.number)
      }
    case .commit(let owner, let name, let ref):
      return Self.outcome(try await client.commit(owner: owner, name: name, ref: ref, etag: etag)) { $0.sha }
    case .events(let path, let page):
      let page = try await client.events(path: path, etag: etag, page: page)
      return Outcome(
        names: page.events?.map(\.id), next: page.next.map { String($0) }, etag: page.etag,
        pollSeconds: page.pollInterval.components.seconds)
    }
  }

  private static func outcome<Record>(
    _ answer: GitHubClient.Answer<Record>, _ name: (Record) -> String
  ) -> Outcome {
    Outcome(names: answer.value.map { [name($0)] }, etag: answer.etag)
  }

  /// Why the product has no call for these.
  static let exceptions = [
    "follow-check-204": "whether one person follows another is not asked",
    "follow-check-404": "the same; there a 404 is an answer",
    "org-member-check-204": "one membership is not asked, the list of public ones is",
    "org-member-check-302": "the same",
    "orgs-page-1-per-page-1": "organisations are not listed",
    "user-kohsuke-orgs": "a person's organisations are not listed",
    "user-orgs-empty": "the same",
    "me-emails": "no scope is asked for that would show addresses",
    "search-issues-pr-2023": "issues are not searched",
    "stargazers-page-1-of-5": "stargazers are not listed; the stand-in takes accounts from them",
    "conditional-304-anonymous-2018-request-before": "branches are not asked",
    "rate-limit-2013-legacy": "the quota is taken from the fields of ordinary answers",
    "root-2022": "the API's own index is not asked",
    "redirect-307-patch-repo-renamed": "nothing is changed at GitHub",
    "hook-create-repo-201": "webhooks are a later case, and are set up by people",
    "hook-ping-204": "the same",
    "hook-delivery-push-2024": "webhooks are a later case",
  ]
}
