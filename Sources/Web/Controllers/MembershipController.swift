import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/membership`: joins and leaves a room.
struct MembershipController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .put, "/rooms/:room/membership", "Join a public room", answers: .ok("room"), bodyLimit: 1024, allowance: .members
    ) {
      visit in
      let room = try await core.groups.join(visit.id("room"), by: visit.userID)
      return Answer.json { $0.value(room) }
    }
    routes.signedIn(.delete, "/rooms/:room/membership", "Leave a group", answers: .noContent, allowance: .members) {
      visit in
      try await core.groups.leave(visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }
}
