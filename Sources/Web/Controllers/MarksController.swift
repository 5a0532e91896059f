import Chat
import HTTP
import HTTPServer

/// Reactions and pins (R3).
struct MarksController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/rooms/:room/messages/:seq/reactions") { try await reactions($0) }
    for (method, isAdded) in [(Method.put, true), (.delete, false)] {
      routes.signedIn(method, "/rooms/:room/messages/:seq/reactions/:emoji") { visit in
        try await core.marks.react(
          to: address(visit), with: visit.request.parameters["emoji"] ?? "", by: visit.userID, isAdded: isAdded)
        return Answer.noContent
      }
      routes.signedIn(method, "/rooms/:room/pins/:seq") { visit in
        try await core.marks.pin(address(visit), by: visit.userID, isAdded: isAdded)
        return Answer.noContent
      }
    }
    routes.signedIn(.get, "/rooms/:room/pins") { try await pins($0) }
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
        for message in pins { json.value(message, core.presence(for: visit)) }
      }
    }
  }
}
