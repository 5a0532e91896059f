import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

/// The requests that a sign-in sends to GitHub.
enum SignInQuestion: CaseIterable, Sendable {
  case exchange, person, device

  func ask(_ signIn: GitHubSignIn) async throws {
    switch self {
    case .exchange, .person: _ = try await signIn.account(code: "c", codeVerifier: "v", redirectURI: "r")
    case .device: _ = try await signIn.beginDeviceFlow()
    }
  }

  /// The failure that a fault must result in.
  func failure(_ fault: Fault) -> GitHubIdentityFailure? {
    if self == .person { return nil }
    // The text of these pages is not read, because it might contain a secret: a limit that only the text mentions
    // counts as a refusal.
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

@Suite("Faults during sign-in")
struct SignInFaultTests {
  private let clock = ManualClock()

  @Test(
    "Each fault of each request is reported as what it is, without any text that might be secret", .shows("A1", "D3"),
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
