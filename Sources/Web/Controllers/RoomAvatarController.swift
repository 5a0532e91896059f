import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/avatar`: a group's picture.
struct RoomAvatarController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .put, "/rooms/:room/avatar", "Give a group a picture: PNG, JPEG, WebP or GIF, at most 1 MiB",
      answers: .ok("room"), bodyLimit: PictureUpload.bodyLimit, allowance: .pictures
    ) { visit in
      // Check membership before the picture: outsiders must learn nothing.
      _ = try await core.store.room(visit.id("room"), for: visit.userID)
      return try await set(PictureUpload.picture(visit.request), visit)
    }
    routes.signedIn(
      .delete, "/rooms/:room/avatar", "Remove a group's picture", answers: .ok("room"), allowance: .pictures
    ) {
      try await set(nil, $0)
    }
  }

  private func set(_ picture: Picture?, _ visit: Visit) async throws -> Response {
    let room = try await core.groups.setPicture(picture, of: visit.id("room"), by: visit.userID)
    return Answer.json { $0.value(room) }
  }
}
