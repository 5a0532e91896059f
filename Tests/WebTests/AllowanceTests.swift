import Chat
import ChatTesting
import HTTP
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Rate limits per person", .shows("control 6"))
struct AllowanceTests {
  private func withHub(_ body: (TestHub) async throws -> Void) async throws {
    var options = TestHub.Options()
    options.hasAllowances = true
    try await TestHub.with(options, body)
  }

  @Test(
    "Too many messages are 429 with Retry-After and the limit, for that person only, until the time has passed",
    .shows("control 6"))
  func messages() async throws {
    try await withHub { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      let first = try await ada.send(.post, "/rooms/\(room)/messages", #"{"text":"x"}"#)
      #expect(first.fields["ratelimit-policy"] == #""messages";q=60;w=60"#)
      #expect(first.fields["ratelimit"] == #""messages";r=59;t=1"#)
      for _ in 1..<60 { try await ada.say("x", in: room) }
      let refused = try await ada.send(.post, "/rooms/\(room)/messages", #"{"text":"x"}"#)
      try refused.expectProblem(.tooManyRequests, "rate-limited")
      #expect(try refused.json()["limit"]?.text == "messages")
      #expect(refused.fields[.retryAfter] == "1" && refused.fields["ratelimit"] == #""messages";r=0;t=1"#)
      #expect(try await ada.get("/rooms/\(room)").json()["last_seq"]?.integer == 60)
      try await bob.say("y", in: room)
      hub.clock.advance(by: .seconds(1))
      try await ada.say("x", in: room)
    }
  }

  @Test("Normal writing meets no limit: 30 messages in 10 s, 60 of 10,000 characters in a minute")
  func people() async throws {
    try await withHub { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      for _ in 0..<30 { try await ada.say("quick", in: room) }
      hub.clock.advance(by: .seconds(10))
      // Of four bytes each, the maximum for a text.
      let long = String(repeating: "😀", count: 10_000)
      for _ in 0..<60 {
        try await ada.say(long, in: room)
        hub.clock.advance(by: .seconds(1))
      }
    }
  }

  @Test(
    "Each kind of request has its own allowance, and all other changes share one",
    arguments: [
      (HTTP.Method.patch, "/messages/1", #"{"text":"y"}"#, Allowance.edits),
      (.delete, "/messages/1?for=me", "", .deletions),
      (.put, "/messages/1/reactions/%F0%9F%91%8D", "", .reactions),
      (.post, "/typing", #"{"typing":true}"#, .typing),
      (.patch, "", #"{"muted":true}"#, .changes),
      (.put, "/receipt", #"{"delivered_seq":1}"#, .changes),
    ])
  func kinds(_ method: HTTP.Method, _ path: String, _ text: String, _ allowance: Allowance) async throws {
    let body = text.isEmpty ? nil : text
    try await withHub { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await ada.say("x", in: room)
      for _ in 0..<allowance.limits.burst {
        #expect(try await ada.send(method, "/rooms/\(room)" + path, body).status != .tooManyRequests)
      }
      let refused = try await ada.send(method, "/rooms/\(room)" + path, body)
      try refused.expectProblem(.tooManyRequests, "rate-limited")
      #expect(try refused.json()["limit"]?.text == allowance.rawValue)
      try await ada.say("another allowance", in: room)
    }
  }

  @Test("Searches, GitHub requests, rooms and invitations are limited too; serving stored data is not")
  func others() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      for (path, allowance) in [("/search?q=x", Allowance.searches), ("/github/users", .gitHub)] {
        for _ in 0..<allowance.limits.burst { #expect(try await ada.get(path).status != .tooManyRequests) }
        try await ada.get(path).expectProblem(.tooManyRequests, "rate-limited")
      }
      #expect(try await ada.get("/github/users?stored=1").status != .tooManyRequests)
      // A route that asks GitHub in any case is not freed by a member it does not have.
      try await ada.get("/github/users/octocat?stored=1").expectProblem(.tooManyRequests, "rate-limited")
      for _ in 0..<Allowance.invitations.limits.burst {
        #expect(try await ada.send(.post, "/invitations", "{}").status == .created)
      }
      try await ada.send(.post, "/invitations", "{}").expectProblem(.tooManyRequests, "rate-limited")
    }
  }

  @Test("A change of a group counts as a room; a group with many members costs more than one")
  func groups() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      let members = (0..<500).map { _ in "\"\(UserID(at: hub.clock.now))\"" }.joined(separator: ",")
      let group = #"{"kind":"group","name":"x","member_ids":[\#(members)]}"#
      #expect(try await ada.send(.post, "/rooms", group).status == .unprocessableContent)
      try await ada.send(.post, "/rooms", group).expectProblem(.tooManyRequests, "rate-limited")
      let made = try await ada.send(.post, "/rooms", #"{"kind":"group","name":"x"}"#)
      let room = try #require(try made.json()["id"]?.text)
      var renames = 0
      while try await ada.send(.patch, "/rooms/\(room)", #"{"name":"y\#(renames)"}"#).status == .ok { renames += 1 }
      #expect(renames < 10)
      #expect(try await ada.send(.patch, "/rooms/\(room)", #"{"muted":true}"#).status == .ok)
    }
  }

  @Test("Bytes are limited over all routes: 16 MiB at once, and 2 KiB per second")
  func storage() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      let draft = #"{"draft":"\#(String(repeating: "x", count: 100_000))"}"#
      let room = try await ada.room(with: try await hub.signUp("Bob"))
      var stored = 0
      while true {
        let answer = try await ada.send(.patch, "/rooms/\(room)", draft)
        guard answer.status == .tooManyRequests else {
          stored += draft.utf8.count
          continue
        }
        #expect(try answer.json()["limit"]?.text == "storage")
        break
      }
      #expect((16 << 20) - draft.utf8.count..<(16 << 20) ~= stored)
    }
  }

  @Test("Cards count by what GitHub is asked; stored ones are free", .shows("K5"))
  func cards() async throws {
    try await withHub { hub in
      let ada = try await hub.signUp("Ada")
      let gitHub = try #require(hub.gitHub as? ScriptedGitHub)
      gitHub.script.cards = GitHubCards(cards: [nil])
      #expect(try await ada.get("/github/cards?refs=a/b").fields["ratelimit"] == nil)
      gitHub.script.cardRequests = 40
      #expect(try await ada.get("/github/cards?refs=a/b").fields["ratelimit"]?.contains("r=260") == true)
      for _ in 1..<7 { _ = try await ada.get("/github/cards?refs=a/b") }
      try await ada.get("/github/cards?refs=a/b&stored=1").expectProblem(.tooManyRequests, "rate-limited")
      gitHub.script.cardRequests = 0
      #expect(try await ada.get("/github/cards?refs=a/b").status == .ok)
    }
  }
}
