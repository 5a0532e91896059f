/// Where a browser's push service takes messages for it, and what they are encrypted for (RFC 8030, RFC 8291). It belongs
/// to a session and ends with it.
public struct PushSubscription: Hashable, Sendable {
  /// The session of the browser.
  public var sessionID: SessionID
  /// Whose session it is.
  public var userID: UserID
  /// The push resource: who knows it can send to it, so it is told to nobody and stands in no log.
  public var endpoint: String
  /// The browser's public key, a point of P-256 in its long form: 65 bytes.
  public var publicKey: [UInt8]
  /// The secret that the browser shares with this server alone: 16 bytes.
  public var secret: [UInt8]

  /// A subscription from checked or stored values.
  public init(sessionID: SessionID, userID: UserID, endpoint: String, publicKey: [UInt8], secret: [UInt8]) {
    self.sessionID = sessionID
    self.userID = userID
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.secret = secret
  }
}
