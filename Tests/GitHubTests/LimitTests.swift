import Chat
import ChatTesting
import FakeGitHub
import FoundationEssentials
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Rate limits")
struct LimitTests {
  private let clock = ManualClock()

  private func client(_ transport: any Transport, _ credential: GitHubCredential = .token("t")) -> GitHubClient {
    var configuration = GitHubConfiguration()
    configuration.credential = credential
    return GitHubClient(configuration: configuration, transport: transport, clock: clock)
  }

  private func verdict(
    _ status: Int, _ fields: [String: String] = [:], _ body: String = "{}"
  ) -> LimitRule.Verdict {
    let response = TransportResponse(status: status, fields: fields, body: Array(body.utf8))
    let record = try? ErrorRecord.decode(body)
    return LimitRule(response, resource: "core", message: record, now: clock.now).verdict
  }

  @Test("The decision order of GitHub's documentation")
  func order() {
    let date = ["date": "Mon, 21 Sep 2026 14:13:20 GMT"]
    let exhausted = date.merging(["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1790000100"]) { $1 }
    #expect(verdict(403, exhausted.merging(["retry-after": "7"]) { $1 }) == .secondary(seconds: 7))
    #expect(
      verdict(403, date.merging(["retry-after": "Mon, 21 Sep 2026 14:13:28 GMT"]) { $1 }) == .secondary(seconds: 8))
    #expect(verdict(403, exhausted) == .primary(seconds: 101))
    #expect(verdict(429, exhausted) == .primary(seconds: 101))
    // The reset has passed by GitHub's clock, so it is not the quota.
    #expect(verdict(403, exhausted.merging(["x-ratelimit-reset": "1789999999"]) { $1 }) == .none)
    #expect(verdict(429) == .secondary(seconds: nil))
    #expect(verdict(403, ["gh-limited-by": "x"]) == .secondary(seconds: nil))
    #expect(verdict(403, [:], #"{"message":"You have exceeded a secondary rate limit"}"#) == .secondary(seconds: nil))
    #expect(
      verdict(403, [:], #"{"message":"You have triggered an abuse detection mechanism"}"#) == .secondary(seconds: nil))
    #expect(verdict(403, [:], #"{"message":"API Rate Limit Exceeded for 1.2.3.4"}"#) == .secondary(seconds: nil))
    let address = #"{"message":"no","documentation_url":"https://docs/x#about-secondary-rate-limits"}"#
    #expect(verdict(403, [:], address) == .secondary(seconds: nil))
    #expect(verdict(403, ["x-ratelimit-remaining": "14"]) == .none)
    #expect(verdict(200, exhausted) == .none)
    #expect(verdict(404, ["retry-after": "7"]) == .none)
  }

  @Test("Recorded rate limits are recognised, recorded refusals are not mistaken for them")
  func recorded() throws {
    for recording in Recording.all where recording.status == 403 || recording.status == 429 {
      let fields = recording.fields.filter { !$0.value.contains("{{") }
      let record = try? ErrorRecord.decode(String(decoding: recording.body, as: UTF8.self))
      let response = TransportResponse(status: recording.status, fields: fields, body: recording.body)
      let verdict = LimitRule(response, resource: "core", message: record, now: clock.now).verdict
      // The recording with remaining 0 has its reset as a template, which means nothing here.
      if recording.name.hasPrefix("limit-secondary") {
        #expect(verdict != .none, "\(recording.name)")
      } else if recording.name.hasPrefix("error-") {
        #expect(verdict == .none, "\(recording.name)")
      }
    }
  }

  @Test("While the quota is used up nothing is sent until the reset; the other quota is unaffected", .shows("D3"))
  func primary() async throws {
    let limited = try Fault.primaryLimit.answer.get()
    let transport = ScriptedTransport([limited])
    let client = client(transport)
    for _ in 0..<2 {
      let error = await #expect(throws: GitHubError.self) { try await Question.users.ask(client) }
      #expect(error?.kind == Fault.primaryLimit.kind)
    }
    #expect(transport.requests.count == 1)
    transport.follow { _ in TransportResponse(status: 200, body: Array(#"{"items":[]}"#.utf8)) }
    #expect(try await Question.search.ask(client))
    clock.advance(by: .seconds(100))
    await #expect(throws: GitHubError.self) { try await Question.users.ask(client) }
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(1))
    transport.follow { _ in TransportResponse(status: 200, body: Array("[]".utf8)) }
    #expect(try await Question.users.ask(client))
  }

  @Test("The last request of a quota succeeds, and delays the next one")
  func last() async throws {
    let fields = [
      "date": "Mon, 21 Sep 2026 14:13:20 GMT", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1790000010",
      "x-ratelimit-resource": "core",
    ]
    let transport = ScriptedTransport([TransportResponse(status: 200, fields: fields, body: Array("[]".utf8))])
    let client = client(transport)
    #expect(try await Question.users.ask(client))
    let error = await #expect(throws: GitHubError.self) { try await Question.followers.ask(client) }
    #expect(error?.kind == .primaryLimit(resetAt: clock.now.adding(seconds: 11)))
    #expect(transport.requests.count == 1)
  }

  @Test("A secondary limit delays everything, doubles without a given time, and is reset by a success")
  func secondary() async throws {
    let limited = try Fault.secondaryLimit.answer.get()
    let transport = ScriptedTransport { _ in limited }
    let client = client(transport)
    for wait in [60, 120, 240] as [Int64] {
      let error = await #expect(throws: GitHubError.self) { try await Question.users.ask(client) }
      #expect(error?.kind == .secondaryLimit(resetAt: clock.now.adding(seconds: wait)))
      await #expect(throws: GitHubError.self) { try await Question.account.ask(client) }
      clock.advance(by: .seconds(wait))
    }
    #expect(transport.requests.count == 3)
    transport.follow { _ in TransportResponse(status: 200, body: Array("[]".utf8)) }
    #expect(try await Question.users.ask(client))
    transport.follow { _ in limited }
    let error = await #expect(throws: GitHubError.self) { try await Question.users.ask(client) }
    #expect(error?.kind == .secondaryLimit(resetAt: clock.now.adding(seconds: 60)))
  }

  @Test("A 401 reports the anonymous quota, not this credential's")
  func unauthorized() async throws {
    let fields = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1790003600", "x-ratelimit-limit": "60"]
    let transport = ScriptedTransport([
      TransportResponse(status: 401, fields: fields, body: Array(#"{"message":"Bad credentials"}"#.utf8)),
      TransportResponse(status: 200, body: Array("[]".utf8)),
    ])
    let client = client(transport)
    await #expect(throws: GitHubError.self) { try await Question.users.ask(client) }
    #expect(try await Question.users.ask(client))
  }
}

extension ErrorRecord {
  static func decode(_ text: String) throws -> ErrorRecord {
    try JSONDecoder().decode(ErrorRecord.self, from: Data(text.utf8))
  }
}
