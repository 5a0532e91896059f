import Chat
import HTTP
import HTTPServer

/// `/users`: the people of this instance.
struct UsersController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/users", "People on this instance", query: ["query", "sort", "online", "cursor", "limit"],
      answers: .list("user"), allowance: .searches
    ) { try await list($0) }
    routes.signedIn(.get, "/users/:user", "One person", answers: .ok("user")) { try await show($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    if let sort = query.text("sort"), sort != "name" {
      throw ChatError.invalid([FieldError(field: "sort", code: "invalid", detail: "People are sorted by name.")])
    }
    if let online = query.text("online"), online != "1" {
      throw ChatError.invalid([FieldError(field: "online", code: "invalid", detail: "This is 1 or left out.")])
    }
    let presence = core.presence(for: visit)
    let here = query.text("online") == nil ? nil : presence.everybodyOnline
    let cursor = try PageCursor.user(query.text("cursor"))
    let matching = (query.text("query") ?? "").trimmed(to: 100)
    let users = try await core.store.users(matching: matching, among: here, after: cursor, limit: limit + 1)
    return Answer.page(
      visit.request, users, limit: limit, cursor: { PageCursor.text(UserCursor(name: $0.name, id: $0.id)) }
    ) { json, user in
      json.value(user, presence)
    }
  }

  private func show(_ visit: Visit) async throws -> Response {
    guard let user = try await core.store.user(visit.id("user")) else { throw ChatError.notFound }
    return Answer.entity(visit.request) { $0.value(user, core.presence(for: visit)) }
  }
}

extension String {
  /// Trimmed of white space and cut to `count` characters.
  func trimmed(to count: Int) -> String {
    let start = drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex
    return String(start[..<end].prefix(count))
  }
}
