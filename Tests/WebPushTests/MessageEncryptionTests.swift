import Crypto
import Foundation
import TestSupport
import Testing

@testable import WebPush

@Suite("Encryption of pushes")
struct MessageEncryptionTests {
  /// The example of RFC 8291, section 5 and appendix A.
  private enum Example {
    static let message = "When I grow up, I want to be a watermelon"
    static let publicKey =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let privateKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    static let ownKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    static let body =
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
      + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
      + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
  }

  private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

  @Test("The example of RFC 8291 is reproduced byte for byte", .shows("T1"))
  func example() throws {
    let body = try MessageEncryption.encrypt(
      Array(Example.message.utf8), for: bytes(Example.publicKey), secret: bytes(Example.secret),
      ownKey: P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Example.ownKey)), salt: bytes(Example.salt),
      paddedTo: 0)
    #expect(Base64URL.encode(body) == Example.body)
  }

  @Test(
    "These tests' browser decrypts the example of RFC 8291, so it can be trusted with other messages",
    .shows("T1"))
  func reader() throws {
    let browser = TestBrowser(
      key: try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Example.privateKey)),
      secret: try bytes(Example.secret))
    #expect(browser.publicKey == (try bytes(Example.publicKey)))
    #expect(try browser.read(bytes(Example.body)) == Array(Example.message.utf8))
    var changed = try bytes(Example.body)
    changed[changed.count - 1] ^= 1
    #expect(throws: (any Error).self) { try browser.read(changed) }
  }

  @Test(
    "Messages of every length arrive; bodies have at most 4,096 bytes and hide lengths below 256 bytes", .shows("T1")
  )
  func lengths() throws {
    let browser = TestBrowser()
    var sizes: Set<Int> = []
    for length in [0, 1, 200, 255, 256, 1000, MessageEncryption.longestMessage - 1, MessageEncryption.longestMessage] {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
      let body = try MessageEncryption.encrypt(message, for: browser.publicKey, secret: browser.secret)
      #expect(body.count <= 4096)
      #expect(try browser.read(body) == message)
      if length < 256 { sizes.insert(body.count) }
    }
    #expect(sizes.count == 1)
  }

  @Test("Two bodies of one message have nothing in common, and another browser can decrypt neither", .shows("T1"))
  func fresh() throws {
    let browser = TestBrowser()
    let bodies = try (0..<2).map { _ in
      try MessageEncryption.encrypt(Array("secret".utf8), for: browser.publicKey, secret: browser.secret)
    }
    #expect(bodies[0].prefix(16) != bodies[1].prefix(16))
    #expect(bodies[0].suffix(16) != bodies[1].suffix(16))
    #expect(throws: (any Error).self) { try TestBrowser().read(bodies[0]) }
  }

  @Test("A point that is not on the curve is refused", .shows("T1"), arguments: [0, 64, 65, 66])
  func wrongKeys(length: Int) {
    let key = [UInt8](repeating: 4, count: length)
    #expect(throws: MessageEncryption.InvalidKey.self) { try MessageEncryption.publicKey(key) }
  }

  @Test("Base64url is written without padding, and read with and without it")
  func base64() {
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    #expect(Base64URL.decode("-_8=") == [0xFB, 0xFF])
    #expect(Base64URL.decode("+/8") == nil)
    #expect(Base64URL.decode("a b") == nil)
    #expect(Base64URL.decode("") == [])
  }
}
