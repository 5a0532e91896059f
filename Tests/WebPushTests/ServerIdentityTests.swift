import Chat
import TestSupport
import Testing

@testable import WebPush

@Suite("The server's identity for push services")
struct ServerIdentityTests {
  @Test("These tests' verifier accepts the example of RFC 8292 section 2.4, and no other token", .shows("T1"))
  func example() throws {
    let token =
      "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1"
      + "YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNj"
      + "jvW2L9OkSSHzvoD1oA"
    let key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    let (claims, named) = try TestVerifier.claims("vapid t=\(token), k=\(key)")
    #expect(claims.aud == "https://push.example.net")
    #expect(claims.exp == 1_453_523_768)
    #expect(claims.sub == "mailto:push@example.com")
    #expect(named == key)
    #expect(throws: (any Error).self) {
      try TestVerifier.claims("vapid t=\(token.replacing("L3B1c2gu", with: "L3B1c2gv")), k=\(key)")
    }
    #expect(throws: (any Error).self) { try TestVerifier.claims("vapid t=\(token.dropLast(2))AA, k=\(key)") }
  }

  @Test(
    "A token names the service, expires within a day, names the operator if known, and is signed", .shows("T1"))
  func word() throws {
    let now = Timestamp(milliseconds: 1_790_000_000_000)
    let key = ServerIdentity.makePrivateKey()
    let identity = try ServerIdentity(privateKey: key, contact: "mailto:op@example.com")
    let (claims, named) = try TestVerifier.claims(identity.authorization(for: "https://push.example.net", at: now))
    #expect(claims.aud == "https://push.example.net")
    #expect((1...86_400).contains(claims.exp - now.milliseconds / 1000))
    #expect(claims.sub == "mailto:op@example.com")
    #expect(named == identity.publicKey)
    #expect(Base64URL.decode(named)?.count == 65)
    let again = try ServerIdentity(privateKey: key, contact: nil)
    #expect(again.publicKey == identity.publicKey)
    #expect(try TestVerifier.claims(again.authorization(for: "https://x.example", at: now)).claims.sub == nil)
    #expect(throws: (any Error).self) { try ServerIdentity(privateKey: [1, 2, 3], contact: nil) }
  }
}
