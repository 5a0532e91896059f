import Chat
import Outbound
import Testing

@testable import GitHub

@Suite("What goes wrong at GitHub")
struct ClientFaultTests {
  private let clock = ManualClock()

  private func client(_ transport: any Transport) -> GitHubClient {
    var configuration = GitHubConfiguration()
    configuration.credential = .token("t")
    return GitHubClient(configuration: configuration, transport: transport, clock: clock)
  }

  @Test(
    "D3 D4 Each fault of each endpoint is its own failure, brief and without HTML", arguments: Question.allCases,
    Fault.allCases)
  func matrix(_ question: Question, _ fault: Fault) async throws {
    // A record without items, and an account where a list should be, are no answers either.
    let transport = ScriptedTransport { (_) throws(TransportFailure) in try fault.answer.get() }
    let error = try #require(
      await #expect(throws: GitHubError.self) { try await question.ask(client(transport)) })
    #expect(error.kind == fault.kind)
    #expect(error.directoryFailure.kind == fault.directoryKind)
    #expect(!error.message.isEmpty && error.message.utf8.count <= 200)
    #expect(!error.message.contains("<") && !error.message.contains("\n"))
    if case .success(let response) = fault.answer {
      #expect(error.status == response.status)
      #expect(error.requestID == response.fields["x-github-request-id"])
    }
  }

  @Test("A confirmation is no failure", arguments: Question.allCases.filter(\.isConditional))
  func unchanged(_ question: Question) async throws {
    let transport = ScriptedTransport([TransportResponse(status: 304, fields: ["ETag": #""x""#])])
    #expect(
      try await question.ask(client(transport), etag: CredentialState(.token("t"), clock: clock).validator("x"))
        == false)
  }

  @Test("The reasons of a 422 are told, as objects and as plain words")
  func reasons() async throws {
    let body = #"{"message":"Validation Failed","errors":[{"resource":"Search","field":"q","code":"missing"},"odd"]}"#
    let transport = ScriptedTransport([TransportResponse(status: 422, body: Array(body.utf8))])
    let error = await #expect(throws: GitHubError.self) { try await Question.account.ask(client(transport)) }
    #expect(error?.message == "Validation Failed (q: missing, odd)")
  }

  @Test("A long or many-lined message becomes one short line")
  func brief() {
    let error = GitHubError(kind: .server, message: " a\u{7}\n\tb " + String(repeating: "c", count: 300))
    #expect(error.message.hasPrefix("a b ccc"))
    #expect(error.message.count == 200)
  }
}
