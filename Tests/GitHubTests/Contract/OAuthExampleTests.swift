import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

/// The sign-in against the examples in GitHub's documentation; there are no recordings of real exchanges.
@Suite("Documented responses of the OAuth pages")
struct OAuthExampleTests {
  private let clock = ManualClock()

  private func signIn(_ example: String) -> (GitHubSignIn, ScriptedTransport) {
    let file = RecordedExchange.example(example + ".json")
    // Form-encoded ones are stored as a JSON string.
    let text = String(decoding: file, as: UTF8.self)
    let body = text.hasPrefix("\"") ? text.filter { $0 != "\"" && !$0.isNewline } : text
    let transport = ScriptedTransport { request in
      if request.method == .post { return TransportResponse(status: 200, body: Array(body.utf8)) }
      return RecordedExchange.named("me-2026")?.response ?? TransportResponse(status: 500)
    }
    let signIn = GitHubSignIn(
      configuration: GitHubConfiguration(), clientID: "i", clientSecret: "s", clock: clock, transport: transport)
    return (signIn, transport)
  }

  @Test("Both forms of a token are read", .shows("A1"), arguments: ["oauth-doc-token-json", "oauth-doc-token-form"])
  func tokens(_ example: String) async throws {
    let (signIn, transport) = signIn(example)
    let account = try await signIn.account(code: "c", codeVerifier: "v", redirectURI: "r")
    #expect(account.login == "Anonycoders" && account.id == 40_047_636 && account.name == "Sorena Sarabadani")
    #expect(
      transport.requests.last?.fields["Authorization"] == "Bearer gho_16C7e42F292c6912E7710c838347Ae178B4a")
  }

  @Test(
    "Both forms of a device code are read", .shows("A6"),
    arguments: ["oauth-doc-device-code-json", "oauth-doc-device-code-form"])
  func devices(_ example: String) async throws {
    let device = try await signIn(example).0.beginDeviceFlow()
    #expect(device.userCode == "WDJB-MJHT" && device.verificationAddress == "https://github.com/login/device")
    #expect(device.deviceCode == "3584d83530557fdd1f46af8289938c8ef79f9dc5")
    #expect(device.lifetime == .seconds(900) && device.interval == .seconds(5))
  }

  @Test(
    "Each documented failure is distinguished", .shows("A1"),
    arguments: [
      ("bad-verification-code", GitHubIdentityFailure.expired),
      ("incorrect-client-credentials", .misconfigured("incorrect_client_credentials")),
      ("redirect-uri-mismatch", .misconfigured("redirect_uri_mismatch")), ("unverified-user-email", .unverifiedEmail),
    ])
  func failures(_ example: String, _ expected: GitHubIdentityFailure) async {
    let failure = await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn("oauth-doc-error-" + example).0.account(code: "c", codeVerifier: "v", redirectURI: "r")
    }
    #expect(failure == expected)
  }
}
