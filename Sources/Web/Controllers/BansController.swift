import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/bans`: who is kept out of a group.
struct BansController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/rooms/:room/bans") { try await list($0) }
    routes.signedIn(.put, "/rooms/:room/bans/:user", bodyLimit: 1024) { visit in
      try await core.groups.ban(visit.id("user"), from: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
    routes.signedIn(.delete, "/rooms/:room/bans/:user") { visit in
      try await core.groups.liftBan(of: visit.id("user"), from: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let cursor = try PageCursor.user(query.text("cursor"))
    // One more than is shown tells whether there is a next page.
    let banned = try await core.store.bans(of: room, for: visit.userID, after: cursor, limit: limit + 1)
    let shown = banned.prefix(limit)
    var fields = Fields()
    if banned.count > limit, let last = shown.last {
      var links = PageLinks(visit.request, replacing: ["cursor"])
      links.add("next", "cursor", PageCursor.text(UserCursor(name: last.name, id: last.id)))
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for user in shown { json.value(user, core.presence(for: visit)) }
      }
    }
  }
}
