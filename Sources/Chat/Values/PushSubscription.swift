/// A browser's push endpoint and keys (RFC 8030, RFC 8291). It belongs to a session and ends with it.
package struct PushSubscription: Hashable, Sendable {
  /// The session of the browser.
  package var sessionID: SessionID
  /// The session's person.
  package var userID: UserID
  /// The push resource. Anyone who knows it can send to it, so it is secret and never logged.
  package var endpoint: String
  /// The browser's public key, an uncompressed point on P-256: 65 bytes.
  package var publicKey: [UInt8]
  /// The secret that the browser shares with this server only: 16 bytes.
  package var secret: [UInt8]

  package init(sessionID: SessionID, userID: UserID, endpoint: String, publicKey: [UInt8], secret: [UInt8]) {
    self.sessionID = sessionID
    self.userID = userID
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.secret = secret
  }
}
