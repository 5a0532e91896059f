/// A token that shows that somebody has signed in to an account on this device before, so that strangers' wrong guesses
/// at that account do not slow it down.
///
/// Its text is `<user id>.<nonce>.<proof>`. The proof is a hash over both and over the stored password hash, which only
/// the server knows, so nothing more is stored, and a new password invalidates all older tokens.
struct DeviceToken: Hashable, Sendable, CustomStringConvertible {
  private let user: UserID
  private let nonce: String
  private let proof: String

  /// A new token for an account with this stored password hash.
  init(for user: UserID, passwordHash: String, secrets: any SecretSource) {
    self.init(user, nonce: secrets.makeSecret(), passwordHash, secrets)
  }

  /// Parses `text`; nil unless it is one of this account's tokens.
  init?(_ text: String, of user: UserID, passwordHash: String, secrets: any SecretSource) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 256, parts.count == 3, parts[0] == user.description else { return nil }
    self.init(user, nonce: String(parts[1]), passwordHash, secrets)
    // Compares every byte, so that the time does not reveal where they differ.
    let (given, own) = (Array(parts[2].utf8), Array(proof.utf8))
    guard given.count == own.count, zip(given, own).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
  }

  private init(_ user: UserID, nonce: String, _ passwordHash: String, _ secrets: any SecretSource) {
    (self.user, self.nonce) = (user, nonce)
    proof = secrets.hash("device \(user) \(nonce) \(passwordHash)")
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  var description: String { "\(user).\(nonce).\(proof)" }
}
