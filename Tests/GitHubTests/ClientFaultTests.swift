import Chat
import FakeGitHub
import Testing

@testable import GitHub

/// What the directory asks GitHub for.
enum Question: CaseIterable, Sendable {
  case users, followers, following, members, search, account

  func ask(_ client: GitHubClient, etag: String? = nil) async throws -> Bool {
    switch self {
    case .users: try await client.page(of: .users, at: .first, etag: etag) != nil
    case .followers: try await client.page(of: .followers(of: "a"), at: .first, etag: etag) != nil
    case .following: try await client.page(of: .following(of: "a"), at: .first, etag: etag) != nil
    case .members: try await client.page(of: .members(of: "a"), at: .first, etag: etag) != nil
    case .search: try await client.page(of: .search("a"), at: .first, etag: etag) != nil
    case .account: try await client.account(login: "a").id > 0
    }
  }
}

/// What can go wrong, and what it must become.
enum Fault: CaseIterable, Sendable {
  case badCredentials, primaryLimit, secondaryLimit, forbidden, notFound, gone, tooMany, legal, invalid
  case page, empty, truncated, malformed, otherShape, unexpected304, oversized, timeout, unreachable

  static let epoch = Int64(1_790_000_000)

  var answer: Result<TransportResponse, TransportFailure> {
    switch self {
    case .badCredentials: recorded("error-401-bad-credentials")
    case .primaryLimit:
      .success(
        TransportResponse(
          status: 403,
          fields: [
            // The server's clock is an hour ahead of ours.
            "Date": "Mon, 21 Sep 2026 15:13:20 GMT", "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": String(Self.epoch + 3600 + 100),
          ], body: Array(#"{"message":"API rate limit exceeded for 127.0.0.1."}"#.utf8)))
    case .secondaryLimit: recorded("limit-secondary-403-body-only")
    case .forbidden: recorded("error-403-push-access")
    case .notFound: recorded("error-404-org")
    case .gone: status(410)
    case .tooMany: recorded("limit-secondary-429-retry-after-seconds")
    case .legal: status(451, #"{"message":"Repository access blocked","block":{"reason":"dmca"}}"#)
    case .invalid: recorded("error-422-validation-field")
    case .page: recorded("error-503-unicorn-html")
    case .empty: status(200, "")
    case .truncated: status(200, #"[{"login":"mojombo","id":1,"ty"#)
    case .malformed: status(200, "<html>")
    case .otherShape: status(200, #"{"message":"hello"}"#)
    case .unexpected304: status(304, "")
    case .oversized: .failure(.oversized)
    case .timeout: .failure(.timedOut)
    case .unreachable: .failure(.unreachable("no route\nto host"))
    }
  }

  var kind: GitHubError.Kind {
    switch self {
    case .badCredentials: .unauthorized
    case .primaryLimit: .primaryLimit(resetAt: Self.time(101))
    case .secondaryLimit: .secondaryLimit(resetAt: Self.time(60))
    case .tooMany: .secondaryLimit(resetAt: Self.time(8))
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .gone: .gone
    case .legal: .blocked
    case .invalid: .invalid
    case .page: .server
    case .empty, .truncated, .malformed, .otherShape, .unexpected304: .malformed
    case .oversized: .oversized
    case .timeout: .timedOut
    case .unreachable: .unreachable
    }
  }

  var directoryKind: DirectoryFailure.Kind {
    switch self {
    case .badCredentials: .unauthorized
    case .primaryLimit: .rateLimited(resetAt: Self.time(101))
    case .secondaryLimit: .rateLimited(resetAt: Self.time(60))
    case .tooMany: .rateLimited(resetAt: Self.time(8))
    case .forbidden, .legal, .invalid: .refused
    case .notFound, .gone: .notFound
    case .page, .empty, .truncated, .malformed, .otherShape, .unexpected304, .oversized: .broken
    case .timeout, .unreachable: .unreachable
    }
  }

  private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: (epoch + seconds) * 1000) }

  private func recorded(_ name: String) -> Result<TransportResponse, TransportFailure> {
    guard let recording = Recording.named(name) else { return .failure(.unreachable("no recording \(name)")) }
    // The recording's own quota is not what this fault is about.
    let fields = recording.fields.filter { !$0.key.hasPrefix("x-ratelimit") && !$0.value.contains("{{") }
    return .success(TransportResponse(status: recording.status, fields: fields, body: recording.body))
  }

  private func status(_ status: Int, _ body: String = #"{"message":"No"}"#) -> Result<
    TransportResponse, TransportFailure
  > {
    .success(TransportResponse(status: status, fields: ["X-GitHub-Request-Id": "A:B"], body: Array(body.utf8)))
  }
}

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

  @Test("A confirmation is no failure", arguments: Question.allCases.filter { $0 != .account && $0 != .search })
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
