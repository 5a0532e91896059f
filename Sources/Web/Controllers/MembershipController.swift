import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/membership`: my own, to begin and to end.
struct MembershipController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.put, "/rooms/:room/membership", bodyLimit: 1024) { visit in
      let room = try await core.groups.join(visit.id("room"), by: visit.userID)
      return Answer.json { $0.value(room, core.presence(for: visit)) }
    }
    routes.signedIn(.delete, "/rooms/:room/membership") { visit in
      try await core.groups.leave(visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }
}
