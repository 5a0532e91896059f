import Chat
import HTTP
import HTTPServer

/// `/push`: Web Push for this session's browser.
struct PushController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/push", "The key to subscribe with for Web Push, and whether this session has subscribed",
      answers: .ok("push key")
    ) { try await key($0) }
    routes.signedIn(
      .put, "/push/subscription", "Send this session's browser messages by Web Push", members: ["endpoint", "keys"],
      answers: .noContent, bodyLimit: 4 * 1024
    ) { try await subscribe($0) }
    routes.signedIn(.delete, "/push/subscription", "End this session's push subscription", answers: .noContent) {
      try await unsubscribe($0)
    }
    routes.signedIn(
      .post, "/push/test", "Send this session's browser a notification", members: ["text"], answers: .noContent,
      bodyLimit: 4 * 1024
    ) { try await test($0) }
  }

  private func key(_ visit: Visit) async throws -> Response {
    let key = try await push().publicKey()
    let isSubscribed = try await push().isSubscribed(visit.session)
    return Answer.json { json in
      json.object { json in
        json.member("public_key", key)
        json.member("subscribed", isSubscribed)
      }
    }
  }

  /// Stores what a browser's `PushSubscription.toJSON()` returns.
  private func subscribe(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let endpoint = input.requiredText("endpoint")
    var keys = input.object("keys")
    let publicKey = keys.requiredText("p256dh")
    let secret = keys.requiredText("auth")
    input.takeErrors(of: keys, in: "keys")
    try input.check()
    try await push().subscribe(visit.session, endpoint: endpoint, publicKey: publicKey, secret: secret)
    return Answer.noContent
  }

  private func unsubscribe(_ visit: Visit) async throws -> Response {
    guard try await push().unsubscribe(visit.session) else { throw ChatError.notFound }
    return Answer.noContent
  }

  private func test(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let text = input.requiredText("text")
    if text.unicodeScalars.count > 200 { input.refuse("text", "too_long", "This can have at most 200 characters.") }
    try input.check()
    let push = try push()
    // Waits for the push service, up to five seconds.
    try await core.whileAwaited(by: visit.request) { try await push.sendTest(to: visit.session, text: text) }
    return Answer.noContent
  }

  private func push() throws(ChatError) -> any PushNotifications {
    guard let push = core.push else { throw .unavailable("This server sends no notifications.") }
    return push
  }
}
