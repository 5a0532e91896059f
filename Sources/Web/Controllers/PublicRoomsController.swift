import Chat
import HTTP
import HTTPServer

/// `/public_rooms`: rooms that anyone may join.
struct PublicRoomsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/public_rooms", "Public rooms by name", query: ["query", "cursor", "limit"], answers: .list("public room"),
      allowance: .searches
    ) { try await list($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.publicRoom(query.text("cursor"))
    let matching = (query.text("query") ?? "").trimmed(to: 100)
    let rooms = try await core.store.publicRooms(
      matching: matching, for: visit.userID, after: cursor, limit: limit + 1)
    return Answer.page(
      visit.request, rooms, limit: limit, cursor: { PageCursor.text(PublicRoomCursor(name: $0.name, id: $0.id)) }
    ) { json, room in
      json.value(room)
    }
  }
}
