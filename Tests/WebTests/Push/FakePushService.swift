import Chat
import Crypto
import Foundation
import HTTPServerTesting
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import WebPush

/// A push service and the browsers behind it: verifies each push as a service does, and decrypts it as the browser
/// does.
final class FakePushService: Transport {
  /// A push as received by its browser.
  struct Push: Sendable {
    let browser: String
    let fields: [String: String]
    let content: Content
  }

  /// The content of a push.
  struct Content: Decodable, Sendable {
    let type: String
    let room_id: String?
    let seq: Int?
    let sender: String?
    let room: String?
    let text: String
    let closed: [String]?
  }

  private struct Browser {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = (0..<16).map { _ in UInt8.random(in: 0...255) }
    var answers: [TransportResponse] = []
  }

  private struct State {
    var browsers: [String: Browser] = [:]
    var pushes: [Push] = []
    var isHolding = false
    var held: [CheckedContinuation<Void, Never>] = []
  }

  /// The service's origin.
  let origin: String
  private let state = Mutex(State())

  init(origin: String = "https://updates.push.services.mozilla.com") { self.origin = origin }

  /// The pushes so far, in order.
  var pushes: [Push] { state.withLock { $0.pushes } }

  /// Waits for the push with this index, from 0.
  func push(_ index: Int) async throws -> Push {
    try await eventually { self.pushes.count > index }
    return pushes[index]
  }

  /// The body that a browser sends to its server after subscribing.
  func subscribe(_ name: String) -> String {
    let browser = Browser()
    state.withLock { $0.browsers[name] = browser }
    return """
      {"endpoint":"\(origin)/push/\(name)","expirationTime":null,"keys":{
        "p256dh":"\(Base64URL.encode(browser.key.publicKey.x963Representation))",
        "auth":"\(Base64URL.encode(browser.secret))"}}
      """
  }

  /// Sets the responses to the next pushes to a browser, which then do not arrive; later ones do.
  func answer(_ name: String, with answers: [TransportResponse]) {
    state.withLock { $0.browsers[name]?.answers = answers }
  }

  /// Holds pushes until `release`.
  func hold() { state.withLock { $0.isHolding = true } }

  /// The number of held pushes.
  var held: Int { state.withLock { $0.held.count } }

  /// Releases held pushes, and stops holding.
  func release() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.isHolding { state.held.append(continuation) }
        return state.isHolding
      }
      if !isHeld { continuation.resume() }
    }
    #expect(request.method == .post)
    #expect(request.address.origin == origin)
    return take(path: request.address.path, fields: request.fields, body: request.body)
  }

  /// Handles one push. Like a real service it refuses one that is not encrypted, not signed for it, too long, or
  /// without a time to live.
  func take(path: String, fields: [String: String], body: [UInt8]) -> TransportResponse {
    let fields = Dictionary(uniqueKeysWithValues: fields.map { ($0.lowercased(), $1) })
    let name = String(path.split(separator: "/").last ?? "")
    return state.withLock { state in
      guard let browser = state.browsers[name] else { return TransportResponse(status: 404) }
      guard body.count <= 4096 else { return TransportResponse(status: 413) }
      guard fields["content-encoding"] == "aes128gcm", fields["ttl"].flatMap({ Int($0) }) != nil else {
        return TransportResponse(status: 400)
      }
      guard isSigned(fields["authorization"] ?? "") else { return TransportResponse(status: 403) }
      if !browser.answers.isEmpty {
        return state.browsers[name]?.answers.removeFirst() ?? TransportResponse(status: 500)
      }
      do {
        let content = try JSONDecoder().decode(Content.self, from: read(body, browser.key, browser.secret))
        state.pushes.append(Push(browser: name, fields: fields, content: content))
        return TransportResponse(status: 201)
      } catch {
        Issue.record("no browser can read this push: \(error)")
        return TransportResponse(status: 201)
      }
    }
  }

  /// RFC 8292: an ES256 token for this origin that expires within a day.
  private func isSigned(_ field: String) -> Bool {
    let parts = field.split(separator: ", k=")
    guard parts.count == 2, parts[0].hasPrefix("vapid t="), let key = Base64URL.decode(String(parts[1])) else {
      return false
    }
    let token = parts[0].dropFirst(8).split(separator: ".").map(String.init)
    guard token.count == 3, let signature = Base64URL.decode(token[2]), let claims = Base64URL.decode(token[1]),
      let signer = try? P256.Signing.PublicKey(x963Representation: key),
      let signed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { return false }
    return signer.isValidSignature(signed, for: Data((token[0] + "." + token[1]).utf8))
      && String(decoding: claims, as: UTF8.self).contains(#""aud":"\#(origin)""#)
  }

  /// RFC 8291 from the browser's side.
  private func read(_ body: [UInt8], _ key: P256.KeyAgreement.PrivateKey, _ secret: [UInt8]) throws -> Data {
    let sender = Array(body[21..<86])
    let shared = try key.sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: sender))
    let input = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: secret,
      sharedInfo: Array("WebPush: info\0".utf8) + Array(key.publicKey.x963Representation) + sender, outputByteCount: 32)
    func derive(_ name: String, _ count: Int) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: input, salt: Array(body[0..<16]), info: Array("Content-Encoding: \(name)\0".utf8),
        outputByteCount: count)
    }
    let nonce = try derive("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
    let box = try AES.GCM.SealedBox(
      nonce: nonce, ciphertext: Array(body[86..<(body.count - 16)]), tag: Array(body.suffix(16)))
    let padded = try AES.GCM.open(box, using: derive("aes128gcm", 16))
    return padded[..<(padded.lastIndex { $0 != 0 } ?? padded.startIndex)]
  }
}
