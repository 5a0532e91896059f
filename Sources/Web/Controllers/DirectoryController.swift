import Chat
import HTTP
import HTTPServer

/// `/github`: the directory of GitHub accounts (D1–D6), and how much may be asked of GitHub.
struct DirectoryController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/github/users") { try await show(.users, $0, cursor: "since") }
    routes.signedIn(.get, "/github/users/:login/followers") { try await show(.followers(of: $0.login()), $0) }
    routes.signedIn(.get, "/github/users/:login/following") { try await show(.following(of: $0.login()), $0) }
    routes.signedIn(.get, "/github/orgs/:login/members") { try await show(.members(of: $0.login()), $0) }
    routes.signedIn(.get, "/github/search/users") { visit in
      let query = (QueryInput(visit.request).text("q") ?? "").trimmed(to: 100)
      guard !query.isEmpty else {
        throw ChatError.invalid([FieldError(field: "q", code: "required", detail: "Say whom to search for.")])
      }
      return try await show(.search(query), visit)
    }
    routes.signedIn(.get, "/github/quota") { showQuota($0) }
  }

  /// A page of a list; `cursor` is the name of the query parameter that says which.
  private func show(_ list: DirectoryList, _ visit: Visit, cursor name: String = "cursor") async throws -> Response {
    let query = QueryInput(visit.request)
    let cursor = query.text(name) ?? ""
    if name == "since", !cursor.isEmpty { _ = try query.number(name) }
    let directory = core.directory
    let page: DirectoryPage
    if query.text("stored") == "1" {
      page = try await directory.storedPage(of: list, cursor: cursor) ?? DirectoryPage(accounts: [])
    } else {
      // Whoever types on does not want what he has typed so far: a question that was not asked yet is dropped.
      page = try await core.whileAwaited(by: visit.request) { try await directory.page(of: list, cursor: cursor) }
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

  /// Where a login's list is; nil for a list that is nobody's.
  private static func path(of list: DirectoryList) -> String? {
    func path(_ kind: String, _ login: String, _ what: String) -> String {
      "\(Routes.base)/github/\(kind)/\(HTTP.PercentEncoding.encode(login))/\(what)"
    }
    return switch list {
    case .followers(let login): path("users", login, "followers")
    case .following(let login): path("users", login, "following")
    case .members(let login): path("orgs", login, "members")
    case .users, .search: nil
    }
  }

  /// What GitHub told last. Everybody may see it: it is of the instance, and says when lists will be right again.
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
