import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/clearing` and `/hiding`: a chat emptied, or taken off the list, for me alone (L4).
struct RoomViewController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.post, "/rooms/:room/clearing") { visit in
      try JSONInput.checkTypeIfAny(visit.request)
      try await core.views.clear(visit.id("room"), for: visit.userID)
      return Answer.noContent
    }
    routes.signedIn(.post, "/rooms/:room/hiding") { visit in
      try JSONInput.checkTypeIfAny(visit.request)
      try await core.views.hide(visit.id("room"), for: visit.userID)
      return Answer.noContent
    }
  }
}
