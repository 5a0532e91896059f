import Chat
import HTTP
import HTTPServer

/// `GET /presence?users=`: the presence of some people. Presence is not in the event log, so a client that was offline
/// requests it here.
struct PresenceController: Controller {
  /// The maximum number of people per request.
  static let mostUsers = 100

  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/presence", "Who of some people is here", query: ["users"], answers: .list("presence")) {
      try await show($0)
    }
  }

  private func show(_ visit: Visit) async throws -> Response {
    let texts = (QueryInput(visit.request).text("users") ?? "").split(separator: ",")
    let ids = texts.compactMap { UserID(String($0)) }
    guard ids.count == texts.count, ids.count <= PresenceController.mostUsers else {
      let detail = "These must be at most \(PresenceController.mostUsers) ids of people, with commas between them."
      throw ChatError.invalid([FieldError(field: "users", code: "invalid", detail: detail)])
    }
    var users: [User] = []
    for id in ids { if let user = try await core.store.user(id) { users.append(user) } }
    let presence = core.presence(for: visit)
    return Answer.json { json in
      json.array { json in
        for user in users {
          json.object { json in
            json.member("user_id", user.id.description)
            json.member("online", presence.isOnline(user.id))
            if let lastSeenAt = user.lastSeenAt, presence.showsLastSeen(user.id) {
              json.member("last_seen_at", lastSeenAt.description)
            }
          }
        }
      }
    }
  }
}
