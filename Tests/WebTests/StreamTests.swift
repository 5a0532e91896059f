import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("The event stream and sync")
struct StreamTests {
  private func withTwo(_ body: (TestHub, Person, Person, String, TestClient) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      try await body(hub, ada, bob, try await ada.room(with: bob), try hub.socket())
    }
  }

  /// The next event except presence events, which may come at any time.
  private func next(_ stream: TestEventStream) async throws -> TestEvent {
    while let event = try await stream.next() {
      if event.name != "presence" { return event }
    }
    throw Ended()
  }

  private struct Ended: Error {}

  @Test(
    "A stream without an id starts live with hello; its head forbids storing and buffering", .shows("H2")
  )
  func live() async throws {
    try await withTwo { hub, ada, bob, room, socket in
      let last = try await hub.store.lastEventID()
      let stream = try await bob.events(socket)
      #expect(stream.response.fields[.contentType] == "text/event-stream")
      #expect(stream.response.fields.all(.cacheControl) == ["no-store"])
      #expect(stream.response.fields["x-accel-buffering"] == "no")
      #expect(stream.response.fields.all(.xContentTypeOptions) == ["nosniff"])
      let hello = try await next(stream)
      #expect(hello.name == "hello" && hello.id == nil && stream.retryMilliseconds == 1000)
      let data = try JSONValue.parse(hello.data)
      #expect(data["last_event_id"]?.integer == Int(last) && data["retry_ms"]?.integer == 1000)
      #expect(data["server_time"]?.text == hub.clock.now.description)
      try await ada.say("hi", in: room)
      let event = try await next(stream)
      #expect(event.name == "message.created" && event.id == String(last + 1))
      #expect(try JSONValue.parse(event.data) == (try await bob.get("/rooms/\(room)/messages/1").json()))
    }
  }

  @Test(
    "Missed events are replayed in order after Last-Event-ID, which overrides ?after=, then live ones follow",
    .shows("S5"))
  func replays() async throws {
    try await withTwo { hub, ada, bob, room, socket in
      let last = try await hub.store.lastEventID()
      for number in 1...3 { try await ada.say("m\(number)", in: room) }
      let stream = try await bob.events(socket, "?after=0", fields: [.lastEventID: String(last + 1)])
      #expect(try JSONValue.parse(try await next(stream).data)["last_event_id"]?.integer == Int(last) + 1)
      #expect(try await next(stream).id == String(last + 2))
      #expect(try await next(stream).id == String(last + 3))
      try await ada.say("m4", in: room)
      #expect(try await next(stream).id == String(last + 4))
      let ahead = try await bob.events(socket, "?after=999")
      #expect(try await next(ahead).name == "hello")
      #expect(try await next(ahead).name == "reset")
      for (query, fields) in [("?after=x", [:]), ("?after=-1", [:]), ("", [.lastEventID: "x"])] as [(String, Fields)] {
        var fields = fields
        fields.set(.cookie, bob.cookie)
        let answer = try await socket.send(.get, "/api/v1/events" + query, fields: fields)
        try answer.expectProblem(.unprocessableContent, "invalid")
      }
    }
  }

  @Test(
    "Typing is announced to the other on the stream, ends after 6 s, and is not sent to oneself", .shows("S6"))
  func typing() async throws {
    try await withTwo { hub, ada, bob, room, socket in
      let (own, other) = (try await ada.events(socket), try await bob.events(socket))
      #expect(try await next(own).name == "hello")
      #expect(try await next(other).name == "hello")
      #expect(try await ada.send(.post, "/rooms/\(room)/typing", #"{"typing":true}"#).status == .noContent)
      for isTyping in [true, false] {
        let event = try await next(other)
        #expect(event.name == "typing" && event.id == nil)
        let data = try JSONValue.parse(event.data)
        #expect(data["typing"]?.flag == isTyping && data["user_id"]?.text == ada.id.description)
        if isTyping { hub.clock.advance(by: .seconds(6)) }
      }
      try await bob.say("done", in: room)
      #expect(try await next(own).name == "message.created")
    }
  }

  @Test("A person is online from the first stream until the grace period after the last one", .shows("S6"))
  func presence() async throws {
    try await withTwo { hub, ada, bob, _, socket in
      let watcher = try await ada.events(socket)
      while try await watcher.next()?.name != "hello" {}
      var visitor: TestEventStream? = try await bob.events(socket)
      #expect(try await visitor?.next() != nil)
      func change() async throws -> JSONValue {
        while let event = try await watcher.next() {
          let data = try JSONValue.parse(event.data)
          if event.name == "presence", data["user_id"]?.text == bob.id.description { return data }
        }
        throw Ended()
      }
      #expect(try await change()["online"]?.flag == true)
      #expect(try await ada.get("/users/\(bob.id)").json()["online"]?.flag == true)
      visitor = nil
      await hub.clock.waits(for: .seconds(5))
      #expect(try await ada.get("/users/\(bob.id)").json()["online"]?.flag == true)
      hub.clock.advance(by: .seconds(5))
      let gone = try await change()
      #expect(gone["online"]?.flag == false && gone["last_seen_at"]?.text != nil)
      #expect(try await ada.get("/users/\(bob.id)").json()["online"]?.flag == false)
    }
  }

  @Test("A stream sends a ping every 15 s")
  func pings() async throws {
    try await withTwo { hub, _, bob, _, socket in
      let stream = try await bob.events(socket)
      #expect(try await next(stream).name == "hello")
      await hub.clock.waits(for: .seconds(15))
      hub.clock.advance(by: .seconds(15))
      let ping = try await next(stream)
      #expect(ping.name == "ping" && ping.id == nil)
      #expect(try JSONValue.parse(ping.data)["server_time"]?.text == hub.clock.now.description)
    }
  }

  @Test(
    "Ending a session, by signing out or from elsewhere, notifies and closes its streams at once", .shows("control 9")
  )
  func sessionEnds() async throws {
    try await withTwo { hub, ada, _, _, socket in
      let second = try await hub.signIn(ada)
      let third = try await hub.signIn(ada)
      let streams = [try await ada.events(socket), try await second.events(socket), try await third.events(socket)]
      for stream in streams { #expect(try await next(stream).name == "hello") }
      // The clock stands still from here on, so nothing waits for a timer.
      #expect(try await third.send(.delete, "/session").status == .noContent)
      #expect(try await second.send(.delete, "/sessions").status == .noContent)
      for stream in [streams[2], streams[0]] {
        let event = try await next(stream)
        #expect(event.name == "session.ended" && event.data == "{}")
        #expect(try await stream.next() == nil)
      }
      // The session that ended the others continues.
      _ = try await second.send(.patch, "/me", #"{"last_name":"L"}"#)
      #expect(try await next(streams[1]).name == "user.updated")
    }
  }

  @Test(
    "A person's streams are limited, and one too many is told so; HEAD opens none, nor does a request without a connection",
    .shows("control 21"))
  func limits() async throws {
    var options = TestHub.Options()
    options.broker = BrokerLimits(streamsPerUser: 1)
    try await TestHub.with(options) { hub in
      let ada = try await hub.signUp("Ada")
      let socket = try hub.socket()
      let head = try await ada.send(.head, "/events", over: socket)
      #expect(head.status == .ok && head.fields[.contentType] == "text/event-stream")
      // As for GET, which has no end: RFC 9110 section 9.3.2.
      #expect(head.fields[.contentLength] == nil)
      try await ada.get("/events").expectProblem(.serviceUnavailable, "unavailable")
      let stream = try await ada.events(socket)
      #expect(try await stream.next() != nil)
      let refused = try await ada.send(.get, "/events", over: socket)
      try refused.expectProblem(.tooManyRequests, "rate-limited")
      let reason = "An account can have 1 event streams open at once. Close one of them first."
      #expect(try refused.json()["detail"]?.text == reason)
      #expect(refused.fields[.retryAfter] == "5")
    }
  }

  @Test("Sync returns news at once with the next id, and resets if the log does not reach back")
  func sync() async throws {
    try await withTwo { hub, ada, bob, room, _ in
      let now = try await bob.get("/sync").json()
      let last = try #require(now["last_event_id"]?.integer)
      #expect(now["events"] == .array([]) && now["reset"]?.flag == false)
      try await ada.say("hi", in: room)
      let news = try await bob.get("/sync?after=\(last)&wait=25").json()
      #expect(news["last_event_id"]?.integer == last + 1 && news["events"]?.array.count == 1)
      #expect(news["events"]?[0]?["id"]?.integer == last + 1)
      #expect(news["events"]?[0]?["event"]?.text == "message.created")
      #expect(news["events"]?[0]?["data"]?["text"]?.text == "hi")
      #expect(try await bob.get("/sync?after=\(last + 1)").json()["events"] == .array([]))
      #expect(try await bob.get("/sync?after=999").json()["reset"]?.flag == true)
      for query in ["after=x", "wait=x", "after=-1"] {
        try await bob.get("/sync?" + query).expectProblem(.unprocessableContent, "invalid")
      }
    }
  }

  @Test("Sync waits for news, and returns an empty list after the wait", arguments: [true, false])
  func syncWaits(_ hasNews: Bool) async throws {
    try await withTwo { hub, ada, bob, room, socket in
      let last = try await hub.store.lastEventID()
      async let answer = bob.send(.get, "/sync?after=\(last)&wait=25", over: socket)
      await hub.clock.waits(for: .seconds(25))
      if hasNews { try await ada.say("hi", in: room) } else { hub.clock.advance(by: .seconds(25)) }
      let events = try await answer.json()["events"]
      #expect(events?.array.count == (hasNews ? 1 : 0))
    }
  }

  @Test("A sync whose client has disconnected stops waiting")
  func syncIsCancelled() async throws {
    try await withTwo { hub, _, bob, _, _ in
      let last = try await hub.store.lastEventID()
      let connection = try RawConnection(port: try hub.port())
      try connection.write(
        Array(
          "GET /api/v1/sync?after=\(last)&wait=50 HTTP/1.1\r\nHost: a\r\nCookie: \(bob.cookie)\r\n\r\n".utf8))
      await hub.clock.waits(for: .seconds(50))
      #expect(hub.broker.streamCount == 1)
      connection.cut()
      // The grace period of presence starts when the poll ends; the clock has stood still, so it did not expire.
      await hub.clock.waits(for: .seconds(5))
      #expect(hub.broker.streamCount == 0)
    }
  }
}
