import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/avatar`: a group's picture.
struct RoomAvatarController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.put, "/rooms/:room/avatar", bodyLimit: PictureUpload.bodyLimit) { visit in
      // Whether there is such a room comes before what is wrong with the picture: nothing is told to outsiders.
      _ = try await core.store.room(visit.id("room"), for: visit.userID)
      return try await set(PictureUpload.picture(visit.request), visit)
    }
    routes.signedIn(.delete, "/rooms/:room/avatar") { try await set(nil, $0) }
  }

  private func set(_ picture: Picture?, _ visit: Visit) async throws -> Response {
    let room = try await core.groups.setPicture(picture, of: visit.id("room"), by: visit.userID)
    return Answer.json { $0.value(room, core.presence(for: visit)) }
  }
}
