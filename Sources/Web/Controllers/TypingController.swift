import Chat
import HTTP
import HTTPServer

/// `POST /rooms/{id}/typing`: tells the others that one is writing (S6).
struct TypingController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.post, "/rooms/:room/typing", bodyLimit: 1024) { try await tell($0) }
  }

  private func tell(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    var input = try JSONInput(visit.request)
    let isTyping = input.flag("typing")
    if isTyping == nil, input.errors.isEmpty { input.refuse("typing", "required", "Say true or false.") }
    try input.check()
    try await core.typing.set(isTyping ?? false, in: room, by: visit.userID)
    return Answer.noContent
  }
}
