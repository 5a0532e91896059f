import Crypto
import Foundation

/// The browser's side of RFC 8291, implemented independently: it must be able to read what the server writes.
struct TestBrowser {
  struct Unreadable: Error {}

  let key: P256.KeyAgreement.PrivateKey
  let secret: [UInt8]

  init(
    key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(),
    secret: [UInt8] = (0..<16).map { _ in .random(in: 0...255) }
  ) {
    self.key = key
    self.secret = secret
  }

  var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

  /// The message in an `aes128gcm` body with one record.
  func read(_ body: [UInt8]) throws -> [UInt8] {
    guard body.count > 86 + 17, body[20] == 65 else { throw Unreadable() }
    let salt = Data(body[0..<16])
    let sender = Data(body[21..<86])
    let shared = try key.sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: sender))
    let info = Data("WebPush: info\0".utf8) + Data(publicKey) + sender
    let input = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: Data(secret), sharedInfo: info, outputByteCount: 32)
    func derive(_ name: String, _ count: Int) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: \(name)\0".utf8), outputByteCount: count)
    }
    let nonce = try derive("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
    let box = try AES.GCM.SealedBox(
      nonce: nonce, ciphertext: Data(body[86..<(body.count - 16)]), tag: Data(body.suffix(16)))
    let padded = Array(try AES.GCM.open(box, using: derive("aes128gcm", 16)))
    guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2 else { throw Unreadable() }
    return Array(padded[..<end])
  }
}

/// The push service's side of RFC 8292: verifies a token's signature and returns its claims.
struct TestVerifier {
  struct Claims: Decodable {
    let aud: String
    let exp: Int64
    let sub: String?
  }

  /// The claims of an `Authorization` field; throws unless it is well formed and signed by the key that it names.
  static func claims(_ field: String) throws -> (claims: Claims, key: String) {
    guard field.hasPrefix("vapid t="), let comma = field.range(of: ", k=") else { throw TestBrowser.Unreadable() }
    let token = field[field.index(field.startIndex, offsetBy: 8)..<comma.lowerBound].split(separator: ".")
    let key = String(field[comma.upperBound...])
    guard token.count == 3, let point = bytes(key), let signature = bytes(String(token[2])),
      let claims = bytes(String(token[1]))
    else { throw TestBrowser.Unreadable() }
    let isSigned = try P256.Signing.PublicKey(x963Representation: point).isValidSignature(
      P256.Signing.ECDSASignature(rawRepresentation: signature), for: Data((token[0] + "." + token[1]).utf8))
    guard isSigned else { throw TestBrowser.Unreadable() }
    return (try JSONDecoder().decode(Claims.self, from: claims), key)
  }

  private static func bytes(_ text: String) -> Data? {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
  }
}
