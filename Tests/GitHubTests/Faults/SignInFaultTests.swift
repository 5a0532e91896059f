import Chat
import Outbound
import Testing

@testable import GitHub

/// What signing in asks GitHub for.
enum SignInQuestion: CaseIterable, Sendable {
  case exchange, person, device

  func ask(_ signIn: GitHubSignIn) async throws {
    switch self {
    case .exchange, .person: _ = try await signIn.account(code: "c", codeVerifier: "v", redirectURI: "r")
    case .device: _ = try await signIn.beginDeviceFlow()
    }
  }

  /// What a fault of it must become.
  func failure(_ fault: Fault) -> GitHubIdentityFailure? {
    if self == .person { return nil }
    // The pages' own words are not read, since a secret might be among them: a limit that only words tell is a refusal.
    return fault == .notFound ? .misconfigured("not_found") : nil
  }

  func kind(_ fault: Fault) -> DirectoryFailure.Kind {
    if self == .person { return fault.directoryKind }
    return switch fault {
    case .primaryLimit, .tooMany, .timeout, .unreachable: fault.directoryKind
    default: .broken
    }
  }
}

@Suite("What goes wrong while somebody signs in")
struct SignInFaultTests {
  private let clock = ManualClock()

  @Test(
    "A1 D3 Each fault of each question is told as what it is, without a word that might be secret",
    arguments: SignInQuestion.allCases, Fault.allCases)
  func matrix(_ question: SignInQuestion, _ fault: Fault) async throws {
    let transport = ScriptedTransport { (request) throws(TransportFailure) in
      if question == .person, request.method == .post {
        return TransportResponse(status: 200, body: Array(#"{"access_token":"gho_canary"}"#.utf8))
      }
      return try fault.answer.get()
    }
    let signIn = GitHubSignIn(
      configuration: GitHubConfiguration(), clientID: "i", clientSecret: "canary secret", clock: clock,
      transport: transport)
    let error = try #require(await #expect(throws: GitHubIdentityFailure.self) { try await question.ask(signIn) })
    #expect(!String(reflecting: error).contains("canary"))
    if let expected = question.failure(fault) {
      #expect(error == expected)
    } else if case .unavailable(let failure) = error {
      #expect(failure.kind == question.kind(fault))
      #expect(!failure.message.isEmpty && !failure.message.contains("<"))
    } else {
      Issue.record("\(error)")
    }
    #expect(transport.requests.count == (question == .person ? 2 : 1), "asked again")
  }
}
