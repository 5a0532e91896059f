import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/members`: who is in a room.
struct MembersController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/rooms/:room/members") { try await list($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let members = try await core.store.members(of: visit.id("room"), for: visit.userID)
    return Answer.entity(visit.request) { json in
      json.array { json in
        for member in members {
          json.object { json in
            json.members(of: member.user, core.presence(for: visit))
            json.member("role", member.role.rawValue)
          }
        }
      }
    }
  }
}
