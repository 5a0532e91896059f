import Chat
import HTTP
import HTTPServer

/// `POST /rooms/{id}/typing`: starts or stops the typing indicator.
struct TypingController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .post, "/rooms/:room/typing", "Start or stop the typing indicator", members: ["typing"], answers: .noContent,
      bodyLimit: 1024, allowance: .typing
    ) { try await tell($0) }
  }

  private func tell(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    var input = try JSONInput(visit.request)
    let isTyping = input.flag("typing")
    if isTyping == nil, input.errors.isEmpty { input.refuse("typing", "required", "This must be true or false.") }
    try input.check()
    try await core.typing.set(isTyping ?? false, in: room, by: visit.userID)
    return Answer.noContent
  }
}
