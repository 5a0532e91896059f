import Chat
import HTTP
import HTTPServer

/// `/github`: the directory of GitHub accounts (D1–D6).
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
  }

  /// A page of a list; `cursor` is the name of the query parameter that says which.
  private func show(_ list: DirectoryList, _ visit: Visit, cursor name: String = "cursor") async throws -> Response {
    let query = QueryInput(visit.request)
    let cursor = query.text(name) ?? ""
    if name == "since", !cursor.isEmpty { _ = try query.number(name) }
    let page: DirectoryPage
    if query.text("stored") == "1" {
      page = try await core.directory.storedPage(of: list, cursor: cursor) ?? DirectoryPage(accounts: [])
    } else {
      page = try await core.directory.page(of: list, cursor: cursor)
    }
    var fields = Fields()
    fields.setAge(fetchedAt: page.fetchedAt, failure: page.failure, now: core.clock.now)
    if let next = page.next {
      var links = PageLinks(visit.request, replacing: [name])
      links.add("next", name, next)
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for account in page.accounts { json.value(account, core.presence(for: visit)) }
      }
    }
  }
}
