/// The storage of Web Push. All functions throw `ChatError`.
package protocol PushStore: Sendable {
  /// The private key that identifies this server to push services. If there is none, stores and returns `new`.
  func pushKey(orKeeping new: [UInt8]) async throws -> [UInt8]
  /// Stores a session's subscription, replacing its former one and any other with the same endpoint, which is the same
  /// browser. Of more than `limit` per person, the oldest are removed. Throws `.unauthenticated` if the session is
  /// gone.
  func setPushSubscription(_ subscription: PushSubscription, limit: Int, at time: Timestamp) async throws
  /// Deletes the subscription of a session, if it still has `endpoint`, provided that is given. Returns false if there
  /// was none.
  func deletePushSubscription(of session: SessionID, endpoint: String?) async throws -> Bool
  /// The subscriptions of a person's sessions that have not expired.
  func pushSubscriptions(of user: UserID, at time: Timestamp) async throws -> [PushSubscription]
  /// Everyone who has a subscription.
  func pushSubscribers() async throws -> [UserID]
}

/// Web Push as the web sees it; implemented by `WebPush`.
package protocol PushNotifications: Sendable {
  /// The public key that browsers subscribe with (RFC 8292 section 4.2), in base64url.
  func publicKey() async throws -> String
  /// Whether the session's browser has subscribed.
  func isSubscribed(_ session: Session) async throws -> Bool
  /// Stores a session's subscription with the keys in base64url, as sent by its browser. Throws `.invalid` at
  /// `endpoint`, `keys.p256dh` and `keys.auth`.
  func subscribe(_ session: Session, endpoint: String, publicKey: String, secret: String) async throws
  /// Deletes the subscription of a session. Returns false if there was none.
  func unsubscribe(_ session: Session) async throws -> Bool
  /// Drops the in-memory state of a session whose end is on disk, however it ended. Callable from any thread.
  func sessionEnded(_ session: SessionID)
  /// Sends a notification to a session's own browser. Throws `.conflict` if it has no subscription, or one that has
  /// ended, `.rateLimited`, and `.unavailable` with the push service's response.
  func sendTest(to session: Session, text: String) async throws
}
