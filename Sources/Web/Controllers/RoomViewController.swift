import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/clearing` and `/hiding`: clears or hides a chat for the person only.
struct RoomViewController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.post, "/rooms/:room/clearing", "Empty a chat for me", answers: .noContent) { visit in
      try JSONInput.checkTypeIfAny(visit.request)
      try await core.views.clear(visit.id("room"), for: visit.userID)
      return Answer.noContent
    }
    routes.signedIn(.post, "/rooms/:room/hiding", "Delete a chat for me, until somebody writes", answers: .noContent) {
      visit in
      try JSONInput.checkTypeIfAny(visit.request)
      try await core.views.hide(visit.id("room"), for: visit.userID)
      return Answer.noContent
    }
  }
}
