import Chat
import ChatTesting
import FoundationEssentials
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Signing in with GitHub")
struct SignInTests {
  private let clock = ManualClock()

  private func signIn(_ transport: any Transport, base: String = "https://api.github.com") -> GitHubSignIn {
    GitHubSignIn(
      configuration: GitHubConfiguration(base: base), clientID: "client", clientSecret: "secret of all secrets",
      clock: clock, transport: transport)
  }

  private static func answer(_ body: String, status: Int = 200) -> TransportResponse {
    TransportResponse(status: status, fields: ["X-GitHub-Request-Id": "A:1"], body: Array(body.utf8))
  }

  private static let token = answer(#"{"access_token":"gho_canary","scope":"","token_type":"bearer"}"#)
  private static let me = answer(
    #"{"login":"octocat","id":583231,"type":"User","name":"The Octocat","avatar_url":"https://a/u/583231?v=4"}"#)

  private func failure(_ answer: TransportResponse) async -> GitHubIdentityFailure? {
    await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn(ScriptedTransport([answer])).account(code: "c", codeVerifier: "v", redirectURI: "r")
    }
  }

  @Test("The browser is sent to GitHub's website with state and challenge, and without a scope", .shows("A1"))
  func authorization() {
    let address = signIn(ScriptedTransport([])).authorizationAddress(
      state: "s&s", codeChallenge: "abc", redirectURI: "https://chat.example/auth/github/callback")
    #expect(
      address == "https://github.com/login/oauth/authorize?client_id=client"
        + "&redirect_uri=https%3A%2F%2Fchat.example%2Fauth%2Fgithub%2Fcallback&state=s%26s&code_challenge=abc"
        + "&code_challenge_method=S256")
    let enterprise = signIn(ScriptedTransport([]), base: "https://host/api/v3")
    #expect(
      enterprise.authorizationAddress(state: "s", codeChallenge: "c", redirectURI: "r")
        .hasPrefix("https://host/login/oauth/authorize?client_id=client&redirect_uri=r&"))
  }

  @Test("A code is exchanged for a token, and the token for an account", .shows("A1"))
  func exchange() async throws {
    let transport = ScriptedTransport([Self.token, Self.me])
    let account = try await signIn(transport, base: "https://host/api/v3").account(
      code: "code/1", codeVerifier: "verifier", redirectURI: "https://chat/cb")
    #expect(account.id == 583231 && account.login == "octocat" && account.name == "The Octocat")
    let exchange = transport.requests[0]
    #expect(exchange.method == .post)
    #expect(exchange.address.text == "https://host/login/oauth/access_token")
    #expect(exchange.fields["Accept"] == "application/json" && exchange.fields["Authorization"] == nil)
    #expect(exchange.fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(
      WebForm.decode(String(decoding: exchange.body, as: UTF8.self)) == [
        "client_id": "client", "client_secret": "secret of all secrets", "code": "code/1",
        "redirect_uri": "https://chat/cb", "code_verifier": "verifier",
      ])
    let me = transport.requests[1]
    #expect(me.method == .get && me.address.text == "https://host/api/v3/user")
    #expect(me.fields["Authorization"] == "Bearer gho_canary")
  }

  @Test("A form-encoded response is read as well", .shows("A1"))
  func form() async throws {
    let form = Self.answer("access_token=gho_16C7e42F&scope=repo%2Cgist&token_type=bearer\n")
    let transport = ScriptedTransport([form, Self.me])
    _ = try await signIn(transport).account(code: "c", codeVerifier: "v", redirectURI: "r")
    #expect(transport.requests[1].fields["Authorization"] == "Bearer gho_16C7e42F")
    #expect(await failure(Self.answer("error=bad_verification_code&error_description=No.")) == .expired)
  }

  @Test(
    "GitHub's errors, which have status 200, are distinguished", .shows("A1"),
    arguments: [
      ("access_denied", GitHubIdentityFailure.denied), ("bad_verification_code", .expired), ("expired_token", .expired),
      ("token_expired", .expired), ("unverified_user_email", .unverifiedEmail),
      ("incorrect_client_credentials", .misconfigured("incorrect_client_credentials")),
      ("redirect_uri_mismatch", .misconfigured("redirect_uri_mismatch")),
      ("application_suspended", .misconfigured("application_suspended")),
      ("device_flow_disabled", .misconfigured("device_flow_disabled")),
      ("<script>", .misconfigured("unknown")), ("Not Found", .misconfigured("unknown")),
    ])
  func errors(_ word: String, _ expected: GitHubIdentityFailure) async {
    for status in [200, 400, 404] {
      #expect(await failure(Self.answer(#"{"error":"\#(word)","error_uri":"/x"}"#, status: status)) == expected)
    }
  }

  @Test("A response with neither a token nor an error is unavailable, without quoting the body", .shows("D3", "D4"))
  func unusable() async {
    func kind(_ answer: TransportResponse) async -> DirectoryFailure? {
      if case .unavailable(let failure)? = await failure(answer) { failure } else { nil }
    }
    for (body, status) in [
      ("{}", 200), ("", 200), ("<html>Whoa there!</html>", 502), ("[1]", 200), (#"{"access_token":"a\nb"}"#, 200),
      (#"{"access_token":""}"#, 200),
    ] {
      let failure = await kind(Self.answer(body, status: status))
      #expect(failure?.kind == .broken && failure?.status == status && failure?.requestID == "A:1", "\(body)")
      #expect(failure?.message.contains("<") == false)
    }
    #expect(await failure(Self.answer("<html>", status: 404)) == .misconfigured("not_found"))
    let limited = TransportResponse(status: 429, fields: ["retry-after": "30"], body: Array(#"{"message":"x"}"#.utf8))
    #expect(await kind(limited)?.kind == .rateLimited(resetAt: clock.now.adding(seconds: 30)))
  }

  @Test("A new token that GitHub rejects, and a broken connection, are unavailable", .shows("D3"))
  func noAccount() async {
    let transport = ScriptedTransport([Self.token, Self.answer(#"{"message":"Bad credentials"}"#, status: 401)])
    let error = await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn(transport).account(code: "c", codeVerifier: "v", redirectURI: "r")
    }
    guard case .unavailable(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.kind == .unauthorized)
    let dead = ScriptedTransport { (_) throws(TransportFailure) in throw .timedOut }
    let timeout = await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn(dead).account(code: "c", codeVerifier: "v", redirectURI: "r")
    }
    #expect(timeout == .unavailable(GitHubError(TransportFailure.timedOut).directoryFailure))
  }

  @Test("No failure or description contains secret, token or code", .shows("control 15"))
  func secrets() async {
    let answers = [
      #"{"error":"gho_canary"}"#, #"{"access_token":"gho_canary\u0000"}"#, #"{"message":"gho_canary"}"#, "gho_canary",
      #"{"error":"bad_verification_code","error_description":"gho_canary"}"#,
    ]
    for answer in answers {
      let told = String(reflecting: await failure(Self.answer(answer)))
      #expect(!told.contains("canary") && !told.contains("secret"), "\(answer)")
      #expect(!String(reflecting: OAuthAnswer(Array(answer.utf8))).contains("canary"))
    }
  }
}
