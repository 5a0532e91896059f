import Base
import Chat
import HTTP
import HTTPServer

/// `/github`: the directory of GitHub accounts, and GitHub's quota.
struct DirectoryController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/github/users", "All GitHub accounts", query: ["since", "stored"], answers: .list("github user"),
      allowance: .gitHub
    ) { try await show(.users, $0, cursor: "since") }
    routes.signedIn(
      .get, "/github/users/:login/followers", "The followers of a login", query: ["cursor", "stored"],
      answers: .list("github user"), allowance: .gitHub
    ) { try await show(.followers(of: $0.login()), $0) }
    routes.signedIn(
      .get, "/github/users/:login/following", "Whom a login follows", query: ["cursor", "stored"],
      answers: .list("github user"), allowance: .gitHub
    ) { try await show(.following(of: $0.login()), $0) }
    routes.signedIn(
      .get, "/github/orgs/:login/members", "The public members of an organisation", query: ["cursor", "stored"],
      answers: .list("github user"), allowance: .gitHub
    ) { try await show(.members(of: $0.login()), $0) }
    routes.signedIn(
      .get, "/github/search/users", "GitHub accounts by name", query: ["q", "cursor", "stored"],
      answers: .list("github user"), allowance: .gitHub
    ) { visit in
      let query = (QueryInput(visit.request).text("q") ?? "").trimmed(to: 100)
      guard !query.isEmpty else {
        throw ChatError.invalid([FieldError(field: "q", code: "required", detail: "Enter a name to search for.")])
      }
      return try await show(.search(query), visit)
    }
    routes.signedIn(.get, "/github/quota", "How much may be asked of GitHub, and as whom", answers: .list("quota")) {
      showQuota($0)
    }
  }

  /// A page of a list; `cursor` is the name of its query parameter.
  private func show(_ list: DirectoryList, _ visit: Visit, cursor name: String = "cursor") async throws -> Response {
    let query = QueryInput(visit.request)
    let cursor = query.text(name) ?? ""
    if name == "since", !cursor.isEmpty { _ = try query.number(name) }
    let directory = core.directory
    let page: DirectoryPage
    if query.text("stored") == "1" {
      page = try await directory.storedPage(of: list, cursor: cursor) ?? DirectoryPage(accounts: [])
    } else {
      // A search superseded by further typing is dropped if it has not been sent to GitHub yet.
      do {
        page = try await core.whileAwaited(by: visit.request) { try await directory.page(of: list, cursor: cursor) }
      } catch let failure as DirectoryFailure where failure.isWrongCursor {
        throw ChatError.invalid([FieldError(field: name, code: "invalid", detail: "There is no such page.")])
      }
    }
    var fields = Fields()
    fields.setAge(fetchedAt: page.fetchedAt, failure: page.failure, now: core.clock.now)
    if let found = page.found {
      fields.set("hubbub-total", String(found.total))
      if found.isIncomplete { fields.set("hubbub-incomplete", "1") }
    }
    let moved = page.movedTo.flatMap(Self.path)
    if let moved { fields.set("content-location", moved) }
    if let next = page.next {
      var links = PageLinks(visit.request, path: moved, replacing: [name])
      links.add("next", name, next)
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for account in page.accounts { json.value(account, core.presence(for: visit)) }
      }
    }
  }

  /// The path of a login's list; nil for lists without a login.
  private static func path(of list: DirectoryList) -> String? {
    func path(_ kind: String, _ login: String, _ what: String) -> String {
      "\(Routes.base)/github/\(kind)/\(PercentEncoding.encode(login))/\(what)"
    }
    return switch list {
    case .followers(let login): path("users", login, "followers")
    case .following(let login): path("users", login, "following")
    case .members(let login): path("orgs", login, "members")
    case .users, .search: nil
    }
  }

  /// The quota as GitHub last reported it. Visible to everyone: it concerns the instance, and says when lists recover.
  private func showQuota(_ visit: Visit) -> Response {
    let quota = core.directory.quota()
    var fields: Fields = ["hubbub-asks-as": quota.asker.rawValue]
    if let until = quota.limitedUntil { fields.set("hubbub-limited-until", until.description) }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for reading in quota.readings {
          json.object { json in
            json.member("resource", reading.resource)
            json.member("limit", reading.limit)
            json.member("remaining", reading.remaining)
            json.member("used", reading.used)
            json.member("reset_at", reading.resetAt.description)
          }
        }
      }
    }
  }
}

extension DirectoryFailure {
  /// Whether the page was refused before GitHub was asked.
  fileprivate var isWrongCursor: Bool { kind == .refused && status == nil }
}
