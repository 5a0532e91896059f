import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// Former members get nothing more from a group, least of all on open streams. First proves that they did before.
@Suite("Former group members")
struct RemovalTests {
  /// The ways to become a former member.
  enum Way: String, CaseIterable, Sendable { case removed, banned, left }

  private func put(_ person: Person, out room: String, _ way: Way, _ cast: Cast) async throws {
    let answer =
      switch way {
      case .removed: try await cast.admin.send(.delete, "/rooms/\(room)/members/\(person.id)")
      case .banned: try await cast.admin.send(.put, "/rooms/\(room)/bans/\(person.id)", "{}")
      case .left: try await person.send(.delete, "/rooms/\(room)/membership")
      }
    #expect(answer.status == .noContent)
  }

  /// Everything that can happen in a room, once. Events about people joining the instance go to everyone anyway.
  private func bustle(_ room: String, _ cast: Cast) async throws {
    let path = "/rooms/\(room)"
    let seq = try await cast.owner.say("secret of @Member", in: room)
    let steps: [(Person, HTTP.Method, String, String?)] = [
      (cast.admin, .put, "/receipt", #"{"read_seq":\#(seq)}"#), (cast.admin, .post, "/typing", #"{"typing":true}"#),
      (cast.admin, .post, "/typing", #"{"typing":false}"#),
      (cast.owner, .patch, "/messages/\(seq)", #"{"text":"other secret"}"#),
      (cast.admin, .put, "/messages/\(seq)/reactions/%F0%9F%91%8D", "{}"), (cast.admin, .put, "/pins/\(seq)", "{}"),
      (cast.admin, .delete, "/pins/\(seq)", nil),
      (cast.admin, .delete, "/messages/\(seq)/reactions/%F0%9F%91%8D", nil),
      (cast.owner, .delete, "/messages/\(seq)", nil), (cast.admin, .patch, "", #"{"topic":"topic \#(seq)"}"#),
      (cast.admin, .put, "/members/\(cast.target.id)", "{}"), (cast.admin, .delete, "/members/\(cast.target.id)", nil),
    ]
    for (person, method, rest, body) in steps {
      let answer = try await person.send(method, path + rest, body)
      #expect(answer.status.code < 300, "\(method) \(rest): \(answer.text)")
    }
  }

  private static let ofARoom: Set<String> = [
    "message.created", "message.updated", "message.deleted", "receipt.updated", "typing", "reaction.added",
    "reaction.removed", "pin.added", "pin.removed", "room.updated", "room.changed", "member.updated",
  ]

  /// The events up to the next change of somebody's name, which everyone receives, without those that go to everyone.
  private func untilMark(_ stream: TestEventStream, _ cast: Cast, _ name: String) async throws -> [TestEvent] {
    _ = try await cast.owner.send(.patch, "/me", #"{"last_name":"\#(name)"}"#)
    var events: [TestEvent] = []
    while let event = try await stream.next() {
      if event.name == "user.updated", event.data.contains("\"\(name)\"") { return events }
      if event.name != "presence", event.name != "user.updated" { events.append(event) }
    }
    Issue.record("the stream ended")
    return events
  }

  @Test(
    "A former member's live stream gets nothing from the room", .shows("control 9", "R1"), arguments: Way.allCases)
  func live(_ way: Way) async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let streams = try await [cast.member.events(try hub.socket()), hub.signIn(cast.member).events(try hub.socket())]
      for stream in streams { while try await stream.next()?.name != "hello" {} }
      try await bustle(room, cast)
      for stream in streams {
        let names = Set(try await untilMark(stream, cast, "first\(stream === streams[0])").map(\.name))
        try #require(names == Self.ofARoom, "\(way)")
      }
      try await put(cast.member, out: room, way, cast)
      try await bustle(room, cast)
      for stream in streams {
        let after = try await untilMark(stream, cast, "second\(stream === streams[0])")
        #expect(after.map(\.name) == ["room.removed"], "\(way)")
        #expect(!after.contains { $0.data.contains("secret") && $0.name != "room.removed" })
      }
    }
  }

  @Test("Nor do sync, replay, messages, search and forwarding", .shows("control 9", "R1"), arguments: Way.allCases)
  func afterwards(_ way: Way) async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let member = cast.member
      let own = try await member.room(with: cast.other)
      let start = try await hub.store.lastEventID()
      try await cast.owner.say("periwinkle", in: room)
      func found() async throws -> [String?] {
        let answer = try await member.get("/search?q=periwinkle").json()
        return answer["messages"]?.array.map { $0["text"]?.text } ?? []
      }
      func forwarded() async throws -> Status {
        let body = #"{"forward":{"room_id":"\#(room)","seq":1}}"#
        return try await member.send(.post, "/rooms/\(own)/messages", body).status
      }
      #expect(try await found() == ["periwinkle"])
      #expect(try await forwarded() == .created)
      #expect(try await member.told(after: start).contains { $0.data["room_id"]?.text == room })
      #expect(try await member.get("/search?q=engine&types=rooms").json()["rooms"]?.array.count == 1)
      _ = try await member.send(.delete, "/rooms/\(own)/messages/1")

      try await put(member, out: room, way, cast)
      try await bustle(room, cast)
      #expect(try await found().isEmpty)
      #expect(try await forwarded() == .unprocessableContent)
      #expect(try await member.get("/search?q=engine&types=rooms").json()["rooms"]?.array.isEmpty == true)
      let inRoom = try await member.get("/search?q=periwinkle&in=\(room)")
      #expect(try inRoom.status == .unprocessableContent || inRoom.json()["messages"]?.array.isEmpty == true)
      for path in ["", "/messages", "/messages/1", "/members", "/receipts", "/pins", "/messages/1/reactions"] {
        try await member.get("/rooms/\(room)\(path)").expectProblem(.notFound, "not-found")
      }
      #expect(try await !member.lists(room))
      let told = try await member.told(after: start).filter {
        $0.data["room_id"]?.text == room || $0.data["id"]?.text == room
      }
      #expect(told.map(\.name) == ["room.removed"], "\(way)")
      let replayed = try await member.events(try hub.socket(), "?after=\(start)")
      #expect(try await replayed.next()?.name == "hello")
      let events = try await untilMark(replayed, cast, "end").filter { $0.data.contains(room) }
      #expect(events.map(\.name) == ["room.removed"], "\(way)")
    }
  }

  @Test("A member removed while typing stops typing for the others, and cannot start again", .shows("control 9", "S6"))
  func typing() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let stream = try await cast.other.events(try hub.socket())
      while try await stream.next()?.name != "hello" {}
      _ = try await cast.member.send(.post, "/rooms/\(room)/typing", #"{"typing":true}"#)
      try await put(cast.member, out: room, .removed, cast)
      for isTyping in [true, false] {
        let again = try await cast.member.send(.post, "/rooms/\(room)/typing", #"{"typing":\#(isTyping)}"#)
        try again.expectProblem(.notFound, "not-found")
      }
      let events = try await untilMark(stream, cast, "end")
      #expect(events.map(\.name) == ["typing", "typing", "member.updated", "room.changed"])
      let typing = try events.prefix(2).map { try JSONValue.parse($0.data)["typing"]?.flag }
      #expect(typing == [true, false])
    }
  }

  @Test("A waiting sync of a removed member returns that event, and nothing later", .shows("control 9", "R1"))
  func waiting() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let start = try await hub.store.lastEventID()
      let socket = try hub.socket()
      async let waiting = cast.member.send(.get, "/sync?after=\(start)&wait=25", over: socket)
      try await put(cast.member, out: room, .banned, cast)
      let events = try await waiting.json()["events"]?.array.map { $0["event"]?.text }
      #expect(events == ["room.removed"])
    }
  }

  @Test(
    "A demoted admin loses the rights with the very next request", .shows("control 9", "R1"))
  func demotion() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      let room = try await cast.group()
      let stream = try await cast.admin.events(try hub.socket())
      while try await stream.next()?.name != "hello" {}
      #expect(try await cast.admin.send(.patch, "/rooms/\(room)", #"{"topic":"mine"}"#).status == .ok)
      _ = try await cast.owner.send(.put, "/rooms/\(room)/members/\(cast.admin.id)", #"{"role":"member"}"#)
      try await cast.admin.send(.patch, "/rooms/\(room)", #"{"topic":"mine again"}"#)
        .expectProblem(.forbidden, "forbidden")
      let events = try await untilMark(stream, cast, "end")
      #expect(events.map(\.name) == ["room.updated", "room.changed", "member.updated", "room.changed"])
      #expect(try JSONValue.parse(events[2].data)["role"]?.text == "member")
      #expect(try await cast.admin.get("/rooms/\(room)").json()["role"]?.text == "member")
    }
  }
}
