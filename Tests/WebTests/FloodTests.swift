import Chat
import ChatTesting
import HTTP
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Clients that go on after a 429", .shows("control 6"), .timeLimit(.minutes(1)))
struct FloodTests {
  private let prompt = Allowances.promptRefusals.burst
  private let pause = Allowances.refusalPause

  private func withHub(_ body: (TestHub) async throws -> Void) async throws {
    var options = TestHub.Options()
    (options.hasAllowances, options.throttle) = (true, Throttle.Limits(burst: 3))
    try await TestHub.with(options, body)
  }

  /// Types until the next refusal is one too many.
  private func flood(_ person: Person, _ room: String) async throws {
    for _ in 0..<Allowance.typing.limits.burst { #expect(try await typing(person, room).status == .noContent) }
    for _ in 0..<prompt { #expect(try await typing(person, room).status == .tooManyRequests) }
  }

  private func typing(_ person: Person, _ room: String) async throws -> TestResponse {
    try await person.send(.post, "/rooms/\(room)/typing", #"{"typing":true}"#)
  }

  @Test(
    "The first refusals come at once, the next after a pause, and at once again when the person has waited",
    .shows("control 6"))
  func pauses() async throws {
    try await withHub { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await flood(ada, room)
      async let refused = typing(ada, room)
      async let other = ada.get("/github/users/octocat")
      await hub.clock.waits(for: pause)
      // Neither their requests within other limits nor other people wait.
      #expect(try await other.status != .tooManyRequests)
      try await flood(bob, room)
      hub.clock.advance(by: pause)
      try await refused.expectProblem(.tooManyRequests, "rate-limited")
      hub.clock.advance(by: Allowances.promptRefusals.interval * prompt + .seconds(Allowance.typing.window))
      try await flood(ada, room)
    }
  }

  @Test("Somebody who waits as told before each try gets every refusal at once")
  func patience() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      let room = try await ada.room(with: try await hub.signUp("Bob"))
      try await flood(ada, room)
      for _ in 0..<3 * prompt {
        hub.clock.advance(by: .seconds(1))
        #expect(try await typing(ada, room).status == .noContent)
        #expect(try await typing(ada, room).fields[.retryAfter] == "1")
      }
    }
  }

  @Test("Without a session an address pauses, whichever accounts it guesses at", .shows("control 5"))
  func addresses() async throws {
    try await withHub { hub in
      let bob = try await hub.signUp("Bob")
      func guess(_ name: String) async throws -> TestResponse {
        try await hub.memory.send(
          .post, "/api/v1/session", fields: [.contentType: "application/json"],
          text: #"{"email":"\#(name)@example.org","password":"not the password"}"#)
      }
      for number in 0..<3 { #expect(try await guess("x\(number)").status == .unauthorized) }
      for number in 0..<prompt { #expect(try await guess("y\(number)").status == .tooManyRequests) }
      async let refused = guess("z")
      await hub.clock.waits(for: pause)
      #expect(try await bob.get("/session").status == .ok)
      hub.clock.advance(by: pause)
      try await refused.expectProblem(.tooManyRequests, "rate-limited")
    }
  }

  @Test("GitHub's own limit makes nobody pause")
  func gitHub() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      let gitHub = try #require(hub.gitHub as? ScriptedGitHub)
      gitHub.script.page = .failure(DirectoryFailure(kind: .rateLimited(resetAt: nil), message: "slow down"))
      for _ in 0..<2 * prompt {
        try await ada.get("/news").expectProblem(.tooManyRequests, "github-rate-limited")
      }
    }
  }

  @Test("A client that hangs up ends its pause")
  func hangingUp() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      let room = try await ada.room(with: try await hub.signUp("Bob"))
      try await flood(ada, room)
      let timers = hub.clock.waiting
      let connection = try RawConnection(port: try hub.port())
      let head = "POST /api/v1/rooms/\(room)/typing HTTP/1.1\r\nHost: a\r\nCookie: \(ada.cookie)\r\n"
      let body = #"{"typing":true}"#
      try connection.write(
        Array("\(head)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
      await hub.clock.waits(for: pause)
      connection.endSending()
      let answer = String(decoding: try await connection.readAll(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 429"))
      #expect(hub.clock.waiting == timers)
    }
  }
}
