import Crypto
import FoundationEssentials

/// Encrypts a message for one browser, so that its push service cannot read it: RFC 8291, in the `aes128gcm` coding of
/// RFC 8188, as a single record.
enum MessageEncryption {
  /// The longest message: a body of 4,096 bytes, which every push service accepts (RFC 8030 section 7.2), minus the
  /// header of 86, the delimiter and the tag.
  static let longestMessage = 4096 - headerLength - 1 - tagLength
  /// Messages are padded to a multiple of this, so that their length reveals little.
  static let step = 256

  private static let headerLength = 86
  private static let tagLength = 16
  private static let recordSize: [UInt8] = [0, 0, 0x10, 0]

  /// The browser's key or secret is invalid.
  struct InvalidKey: Error {}

  /// A point on P-256 in the browser's encoding. Throws `InvalidKey`.
  static func publicKey(_ bytes: [UInt8]) throws(InvalidKey) -> P256.KeyAgreement.PublicKey {
    do {
      guard bytes.count == 65 else { throw InvalidKey() }
      return try P256.KeyAgreement.PublicKey(x963Representation: bytes)
    } catch {
      throw InvalidKey()
    }
  }

  /// The body of a push. `ownKey` and `salt` must be fresh for each message; they are parameters for the RFC's example.
  /// If `paddedTo` is nil, pads to a multiple of `step`. Throws `InvalidKey`; the message must not be longer than
  /// `longestMessage`.
  static func encrypt(
    _ message: [UInt8], for publicKey: [UInt8], secret: [UInt8],
    ownKey: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(), salt: [UInt8] = Random.bytes(16),
    paddedTo length: Int? = nil
  ) throws -> [UInt8] {
    precondition(message.count <= longestMessage, "a message must fit into one record")
    let browserKey = try Self.publicKey(publicKey)
    let ownPublicKey = ownKey.publicKey.x963Representation
    // RFC 8291 section 3.4: both keys, and the secret unknown to a man in the middle, form the input of RFC 8188.
    let input = try ownKey.sharedSecretFromKeyAgreement(with: browserKey).hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: secret, sharedInfo: Array("WebPush: info\0".utf8) + publicKey + ownPublicKey,
      outputByteCount: 32)
    let key = derived(from: input, salt, "Content-Encoding: aes128gcm\0", 16)
    let nonce = derived(from: input, salt, "Content-Encoding: nonce\0", 12)
    // RFC 8188 section 2: 2 ends the last record, here the only one; zeros follow it.
    let filled = length ?? min(longestMessage, (message.count / step + 1) * step)
    let padding = [2] + [UInt8](repeating: 0, count: max(0, filled - message.count))
    let sealed = try nonce.withUnsafeBytes {
      try AES.GCM.seal(message + padding, using: key, nonce: AES.GCM.Nonce(data: $0))
    }
    return salt + recordSize + [UInt8(ownPublicKey.count)] + ownPublicKey + sealed.ciphertext + sealed.tag
  }

  private static func derived(
    from input: SymmetricKey, _ salt: [UInt8], _ purpose: String, _ length: Int
  ) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: Array(purpose.utf8), outputByteCount: length)
  }
}

/// Cryptographically random bytes.
enum Random {
  /// `count` random bytes from the system's source.
  static func bytes(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}
