import Chat
import Crypto
import FoundationEssentials

/// Identifies this server to push services: a key pair, and a signed token with each push (VAPID, RFC 8292).
struct ServerIdentity: Sendable {
  /// The lifetime of a token; push services accept at most a day (RFC 8292 section 2).
  static let lifetime: Int64 = 12 * 3600

  private let key: P256.Signing.PrivateKey
  /// The operator's contact, `mailto:` or `https:`; nil leaves it out.
  private let contact: String?

  /// An identity from its key's 32 bytes. Throws for an invalid key.
  init(privateKey: [UInt8], contact: String?) throws {
    key = try P256.Signing.PrivateKey(rawRepresentation: privateKey)
    self.contact = contact
  }

  /// A new key.
  static func makePrivateKey() -> [UInt8] { Array(P256.Signing.PrivateKey().rawRepresentation) }

  /// The public key in the encoding of browsers and push services.
  var publicKey: String { Base64URL.encode(key.publicKey.x963Representation) }

  /// The `Authorization` field of a push to a service at `origin` (RFC 8292 section 3).
  func authorization(for origin: String, at time: Timestamp) throws -> String {
    var claims = JSONWriter()
    claims.object { json in
      json.member("aud", origin)
      json.name("exp")
      json.value(time.milliseconds / 1000 + Self.lifetime)
      if let contact { json.member("sub", contact) }
    }
    let signed = Base64URL.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "." + Base64URL.encode(claims.bytes)
    let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
    return "vapid t=\(signed).\(Base64URL.encode(signature)), k=\(publicKey)"
  }
}
