import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Faults of GitHub")
struct ClientFaultTests {
  private let clock = ManualClock()

  private func client(_ transport: any Transport) -> GitHubClient {
    var configuration = GitHubConfiguration()
    configuration.credential = .token("t")
    return GitHubClient(configuration: configuration, transport: transport, clock: clock)
  }

  @Test(
    "Each fault of each endpoint is a distinct failure, brief and without HTML", .shows("D3", "D4"),
    arguments: Question.allCases,
    Fault.allCases)
  func matrix(_ question: Question, _ fault: Fault) async throws {
    // A record without items, and an account in place of a list, are invalid too.
    let transport = ScriptedTransport { (_) throws(TransportFailure) in try fault.answer.get() }
    let error = try #require(
      await #expect(throws: GitHubError.self) { try await question.ask(client(transport)) })
    // GitHub answers 422 for an unknown commit.
    let isUnknown = question == .commit && fault == .invalid
    #expect(error.kind == (isUnknown ? .notFound : fault.kind))
    #expect(error.directoryFailure.kind == (isUnknown ? .notFound : fault.directoryKind))
    #expect(!error.message.isEmpty && error.message.utf8.count <= 200)
    #expect(!error.message.contains("<") && !error.message.contains("\n"))
    if case .success(let response) = fault.answer {
      #expect(error.status == response.status)
      #expect(error.requestID == response.fields["x-github-request-id"])
    }
  }

  @Test("A 304 is not a failure", arguments: Question.allCases.filter(\.isConditional))
  func unchanged(_ question: Question) async throws {
    let transport = ScriptedTransport([TransportResponse(status: 304, fields: ["ETag": #""x""#])])
    #expect(
      try await question.ask(client(transport), etag: CredentialState(.token("t"), clock: clock).validator("x"))
        == false)
  }

  @Test("The reasons of a 422 are reported, whether objects or plain strings")
  func reasons() async throws {
    let body = #"{"message":"Validation Failed","errors":[{"resource":"Search","field":"q","code":"missing"},"odd"]}"#
    let transport = ScriptedTransport([TransportResponse(status: 422, body: Array(body.utf8))])
    let error = await #expect(throws: GitHubError.self) { try await Question.account.ask(client(transport)) }
    #expect(error?.message == "Validation Failed (q: missing, odd)")
  }

  @Test("A long or multi-line message becomes one short line")
  func brief() {
    let error = GitHubError(kind: .server, message: " a\u{7}\n\tb " + String(repeating: "c", count: 300))
    #expect(error.message.hasPrefix("a b ccc"))
    #expect(error.message.count == 200)
  }
}
