import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

/// Which credential is used, and the state that each has of its own.
@Suite("Credentials")
struct CredentialTests {
  private let clock = ManualClock()
  private static let application = GitHubCredential.application(id: "id", secret: "canary secret")

  private func client(
    _ transport: any Transport, _ credentials: [GitHubCredential], log: RecordedLog = RecordedLog()
  ) -> GitHubClient {
    var configuration = GitHubConfiguration()
    configuration.credential = credentials[0]
    configuration.fallbacks = Array(credentials.dropFirst())
    return GitHubClient(
      configuration: configuration, transport: transport, clock: clock, logger: log.logger)
  }

  private static func list(etag: String = "W/\"1\"", remaining: Int = 10) -> TransportResponse {
    TransportResponse(
      status: 200,
      fields: [
        "etag": etag, "date": "Mon, 21 Sep 2026 14:13:20 GMT", "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": String(remaining), "x-ratelimit-reset": "1790000100", "x-ratelimit-used": "7",
        "x-ratelimit-resource": "core",
      ], body: Array(#"[{"login":"mojombo","id":1}]"#.utf8))
  }

  /// A GitHub that rejects tokens.
  private static func refusing(_ request: TransportRequest) -> TransportResponse {
    guard request.fields["Authorization"]?.hasPrefix("Bearer") == true else { return list() }
    return TransportResponse(
      status: 401, fields: ["x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-github-request-id": "A:B"],
      body: Array(#"{"message":"Bad credentials"}"#.utf8))
  }

  @Test("A rejected token is logged once; the application takes over, and the token is tried again after an hour")
  func refusal() async throws {
    let log = RecordedLog()
    let transport = ScriptedTransport { Self.refusing($0) }
    let client = client(transport, [.token("canary token"), Self.application, .anonymous], log: log)
    #expect(client.quota().asker == .token)
    for login in ["a", "b"] { _ = try await client.page(of: .followers(of: login), at: .first, etag: nil) }
    #expect(transport.requests.map { $0.fields["Authorization"]?.prefix(5) } == ["Beare", "Basic", "Basic"])
    #expect(client.quota().asker == .application)
    #expect(client.quota().readings.map(\.remaining) == [10])
    clock.advance(by: .seconds(3600))
    #expect(client.quota().asker == .token)
    _ = try await client.page(of: .followers(of: "c"), at: .first, etag: nil)
    #expect(transport.requests.map { $0.fields["Authorization"]?.prefix(5) }.suffix(2) == ["Beare", "Basic"])
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.contains("refused=token") == true && log.lines.first?.contains("now=application") == true)
    #expect(!log.lines.joined().contains("canary"))
  }

  @Test("If no credential is accepted, the rejection is returned")
  func nobody() async throws {
    let refusal = TransportResponse(status: 401, body: Array("{}".utf8))
    let transport = ScriptedTransport { _ in refusal }
    let client = client(transport, [.token("t"), .anonymous])
    for count in [2, 3] {
      let error = await #expect(throws: GitHubError.self) { try await client.account(login: "a") }
      #expect(error?.kind == .unauthorized && error?.message == "GitHub answered 401")
      #expect(transport.requests.count == count)
    }
  }

  @Test("A rate limit of one credential does not affect another")
  func limits() async throws {
    let transport = ScriptedTransport { request in
      if clock.monotonic < .seconds(2000) { return Self.list(remaining: 0) }
      return Self.refusing(request)
    }
    let client = client(transport, [.token("t"), .anonymous])
    _ = try await client.page(of: .users, at: .first, etag: nil)
    #expect(client.quota().limitedUntil == clock.now.adding(seconds: 101))
    #expect(
      client.quota().readings == [
        GitHubQuota.Reading(
          resource: "core", limit: 5000, remaining: 0, used: 7, resetAt: clock.now.adding(seconds: 101))
      ])
    await #expect(throws: GitHubError.self) { try await client.page(of: .users, at: .first, etag: nil) }
    clock.advance(by: .seconds(1000))
    #expect(client.quota().limitedUntil == nil && client.quota().readings.isEmpty)
    _ = try await client.page(of: .users, at: .first, etag: nil)
    #expect(client.quota().asker == .anonymous && client.quota().readings.count == 1)
  }

  @Test("A validator is used only with the credential that received it", .shows("D5"))
  func validators() async throws {
    let transport = ScriptedTransport { request in
      request.fields["If-None-Match"] == nil ? Self.list() : TransportResponse(status: 304)
    }
    let asToken = client(transport, [.token("one")])
    let first = try #require(try await asToken.page(of: .users, at: .first, etag: nil)?.etag)
    #expect(!first.contains("one"))
    #expect(try await asToken.page(of: .users, at: .first, etag: first) == nil)
    #expect(transport.requests.last?.fields["If-None-Match"] == "W/\"1\"")
    for others in [[.token("two")], [Self.application], [.anonymous]] as [[GitHubCredential]] {
      let other = client(transport, others)
      let etag = try await other.page(of: .users, at: .first, etag: first)?.etag
      #expect(etag != nil && etag != first && etag?.contains("canary") == false)
      #expect(try await other.page(of: .users, at: .first, etag: etag) == nil)
    }
    // A validator stored by a version without marks.
    #expect(try await asToken.page(of: .users, at: .first, etag: "W/\"1\"") != nil)
  }

  @Test("A new secret of an application keeps its validators valid")
  func mark() {
    let old = CredentialState(.application(id: "i", secret: "a"), clock: clock)
    let new = CredentialState(.application(id: "i", secret: "b"), clock: clock)
    #expect(new.etag(of: old.validator("\"x\"")) == "\"x\"")
    #expect(new.etag(of: nil) == nil && new.validator(nil) == nil)
  }
}
