import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/bans`: people banned from a group.
struct BansController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/rooms/:room/bans", "Who is banned from a group", query: ["cursor", "limit"], answers: .list("user")
    ) { try await list($0) }
    routes.signedIn(
      .put, "/rooms/:room/bans/:user", "Ban a person from a group", answers: .noContent, bodyLimit: 1024,
      allowance: .members
    ) { visit in
      try await core.groups.ban(visit.id("user"), from: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
    routes.signedIn(.delete, "/rooms/:room/bans/:user", "End a ban", answers: .noContent, allowance: .members) {
      visit in
      try await core.groups.liftBan(of: visit.id("user"), from: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.user(query.text("cursor"))
    let banned = try await core.store.bans(of: room, for: visit.userID, after: cursor, limit: limit + 1)
    return Answer.page(
      visit.request, banned, limit: limit, cursor: { PageCursor.text(UserCursor(name: $0.name, id: $0.id)) }
    ) { json, user in
      json.value(user, core.presence(for: visit))
    }
  }
}
