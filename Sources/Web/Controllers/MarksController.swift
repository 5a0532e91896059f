import Chat
import HTTP
import HTTPServer

/// Reactions and pins.
struct MarksController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    let reaction = "/rooms/:room/messages/:seq/reactions/:emoji"
    routes.signedIn(.get, "/rooms/:room/messages/:seq/reactions", "Who reacted with what", answers: .list("reaction")) {
      try await reactions($0)
    }
    routes.signedIn(.put, reaction, "React to a message", answers: .noContent, allowance: .reactions) {
      try await react($0, isAdded: true)
    }
    routes.signedIn(.delete, reaction, "Take my reaction back", answers: .noContent, allowance: .reactions) {
      try await react($0, isAdded: false)
    }
    routes.signedIn(.put, "/rooms/:room/pins/:seq", "Pin a message", answers: .noContent, allowance: .reactions) {
      try await pin($0, isAdded: true)
    }
    routes.signedIn(
      .delete, "/rooms/:room/pins/:seq", "Take a message off the pins", answers: .noContent, allowance: .reactions
    ) {
      try await pin($0, isAdded: false)
    }
    routes.signedIn(.get, "/rooms/:room/pins", "The pinned messages, last pinned first", answers: .list("message")) {
      try await pins($0)
    }
  }

  private func react(_ visit: Visit, isAdded: Bool) async throws -> Response {
    try await core.marks.react(
      to: address(visit), with: visit.request.parameters["emoji"] ?? "", by: visit.userID, isAdded: isAdded)
    return Answer.noContent
  }

  private func pin(_ visit: Visit, isAdded: Bool) async throws -> Response {
    try await core.marks.pin(address(visit), by: visit.userID, isAdded: isAdded)
    return Answer.noContent
  }

  private func address(_ visit: Visit) throws(ChatError) -> MessageAddress {
    MessageAddress(roomID: try visit.id("room"), seq: try visit.seq())
  }

  private func reactions(_ visit: Visit) async throws -> Response {
    let reactions = try await core.store.reactions(to: address(visit), for: visit.userID)
    return Answer.entity(visit.request) { json in
      json.array { json in
        for reaction in reactions {
          json.object { json in
            json.member("emoji", reaction.emoji)
            json.name("users")
            json.array { json in
              for user in reaction.users { json.value(user, core.presence(for: visit)) }
            }
          }
        }
      }
    }
  }

  private func pins(_ visit: Visit) async throws -> Response {
    let pins = try await core.store.pins(in: visit.id("room"), for: visit.userID)
    return Answer.entity(visit.request) { json in
      json.array { json in
        for message in pins { json.value(message) }
      }
    }
  }
}
