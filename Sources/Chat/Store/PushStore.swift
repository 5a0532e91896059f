/// What the core keeps for Web Push (T1). All functions throw `ChatError`.
public protocol PushStore: Sendable {
  /// The private key by which push services know this server; `new` is kept, and returned, where there is none yet.
  func pushKey(orKeeping new: [UInt8]) async throws -> [UInt8]
  /// Keeps a session's subscription in the place of its former one, and of any other with the same endpoint, which is the
  /// same browser. Of more than `limit` of a person those made longest ago go. Throws `.unauthenticated` where the session
  /// is gone.
  func setPushSubscription(_ subscription: PushSubscription, limit: Int, at time: Timestamp) async throws
  /// Forgets the subscription of a session, if it is still the one with `endpoint`, where that is given. False if there was
  /// none.
  func deletePushSubscription(of session: SessionID, endpoint: String?) async throws -> Bool
  /// The subscriptions of a person's sessions that have not expired.
  func pushSubscriptions(of user: UserID, at time: Timestamp) async throws -> [PushSubscription]
  /// Everybody who has a subscription.
  func pushSubscribers() async throws -> [UserID]
}

/// Web Push as the web sees it; `WebPush` implements it (T1).
public protocol PushNotifications: Sendable {
  /// The public key that browsers subscribe with (RFC 8292 section 4.2), base64url.
  func publicKey() async throws -> String
  /// Whether the session's browser has subscribed.
  func isSubscribed(_ session: Session) async throws -> Bool
  /// Takes a subscription of a session, as its browser wrote it: base64url keys. Throws `.invalid` at `endpoint`,
  /// `keys.p256dh` and `keys.auth`.
  func subscribe(_ session: Session, endpoint: String, publicKey: String, secret: String) async throws
  /// Forgets the subscription of a session. False if there was none.
  func unsubscribe(_ session: Session) async throws -> Bool
  /// Forgets what is kept in memory for a session whose end is on disk, however it ended. Callable from any thread.
  func sessionEnded(_ session: SessionID)
  /// Sends a notification to a session's own browser. Throws `.conflict` where it has no subscription, or one that has
  /// ended, `.rateLimited`, and `.unavailable` with what the push service said.
  func sendTest(to session: Session, text: String) async throws
}
