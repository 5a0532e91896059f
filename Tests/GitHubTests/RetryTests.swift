import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Retries")
struct RetryTests {
  private let clock = ManualClock()

  private func client(_ transport: any Transport, pauses: [Duration] = [.seconds(1)]) -> GitHubClient {
    var configuration = GitHubConfiguration()
    configuration.retryPauses = pauses
    return GitHubClient(configuration: configuration, transport: transport, clock: clock)
  }

  private static let found = TransportResponse(
    status: 200, body: Array(#"{"login":"a","id":1,"type":"User"}"#.utf8))

  private static func failing(_ status: Int) -> TransportResponse {
    TransportResponse(status: status, body: Array("<html>".utf8))
  }

  @Test("A read that gets a 5xx is retried after a second", arguments: [500, 502, 503, 504])
  func again(_ status: Int) async throws {
    let transport = ScriptedTransport([Self.failing(status), Self.found])
    let client = client(transport)
    let account = Task { try await client.account(login: "a") }
    try await eventually { clock.waiting == 1 }
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await account.value.id == 1)
    #expect(transport.requests.count == 2)
  }

  @Test("The second failure is returned; by default there are no retries")
  func once() async throws {
    let transport = ScriptedTransport { _ in Self.failing(502) }
    let account = Task { try await client(transport).account(login: "a") }
    try await eventually { clock.waiting == 1 }
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: GitHubError.self) { try await account.value }
    #expect(error?.kind == .server && error?.status == 502)
    #expect(transport.requests.count == 2)
    let plain = client(transport, pauses: GitHubConfiguration().retryPauses)
    await #expect(throws: GitHubError.self) { try await plain.account(login: "a") }
    #expect(transport.requests.count == 3)
  }

  @Test("A timeout is followed by one retry, which gets the rest of the deadline")
  func timeout() async throws {
    let transport = ScriptedTransport { [clock] (_) throws(TransportFailure) in
      clock.advance(by: .seconds(5))
      throw .timedOut
    }
    let account = Task { try await client(transport, pauses: [.seconds(1), .seconds(1)]).account(login: "a") }
    try await eventually { clock.waiting == 1 }
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: GitHubError.self) { try await account.value }
    #expect(error?.kind == .timedOut)
    #expect(transport.requests.map(\.timeout) == [.seconds(5), .seconds(5)])
    // The third try would have started after the eleven seconds.
    #expect(clock.waiting == 0)
  }

  @Test(
    "Refusals, malformed responses and failed connections are never retried",
    arguments: [400, 401, 403, 404, 409, 410, 422, 429, 451])
  func never(_ status: Int) async throws {
    let transport = ScriptedTransport([TransportResponse(status: status, body: Array(#"{"message":"No"}"#.utf8))])
    await #expect(throws: GitHubError.self) { try await client(transport).account(login: "a") }
    let broken = ScriptedTransport([TransportResponse(status: 200, body: Array("{".utf8))])
    await #expect(throws: GitHubError.self) { try await client(broken).account(login: "a") }
    for failure in [TransportFailure.unreachable("no route"), .oversized] {
      let dead = ScriptedTransport { (_) throws(TransportFailure) in throw failure }
      await #expect(throws: GitHubError.self) { try await client(dead).account(login: "a") }
      #expect(dead.requests.count == 1)
    }
    #expect(clock.waiting == 0)
  }

  @Test("A pause ends at its time or when its task is cancelled, whichever is first")
  func pause() async throws {
    let clock = clock
    let first = Task { await clock.pause(for: .seconds(10)) }
    try await eventually { clock.waiting == 1 }
    clock.advance(by: .seconds(10))
    await first.value
    let second = Task { await clock.pause(for: .seconds(10)) }
    try await eventually { clock.waiting == 1 }
    second.cancel()
    await second.value
    #expect(clock.waiting == 0)
    let third = Task {
      try? await Task.sleep(for: .seconds(1000))
      await clock.pause(for: .seconds(10))
    }
    third.cancel()
    await third.value
    #expect(clock.waiting == 0)
  }
}
