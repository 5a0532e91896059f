import Chat
import HTTP
import HTTPServer

/// `/public_rooms`: the rooms that anybody may join.
struct PublicRoomsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/public_rooms") { try await list($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.publicRoom(query.text("cursor"))
    let matching = (query.text("query") ?? "").trimmed(to: 100)
    // One more than is shown tells whether there is a next page.
    let rooms = try await core.store.publicRooms(
      matching: matching, for: visit.userID, after: cursor, limit: limit + 1)
    let shown = rooms.prefix(limit)
    var fields = Fields()
    if rooms.count > limit, let last = shown.last {
      var links = PageLinks(visit.request, replacing: ["cursor"])
      links.add("next", "cursor", PageCursor.text(PublicRoomCursor(name: last.name, id: last.id)))
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for room in shown { json.value(room, core.presence(for: visit)) }
      }
    }
  }
}
