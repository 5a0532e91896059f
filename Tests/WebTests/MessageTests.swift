import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Messages")
struct MessageTests {
  /// Two people and their room.
  private func withRoom(_ body: (TestHub, Person, Person, String) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      try await body(hub, ada, bob, try await ada.room(with: bob))
    }
  }

  @Test("A stored message is answered with 201 and its place, and is the same for both readers", .shows("S1"))
  func sends() async throws {
    try await withRoom { hub, ada, bob, room in
      let id = ClientMessageID(at: hub.clock.now)
      let first = try await ada.send(
        .post, "/rooms/\(room)/messages", #"{"client_id":"\#(id)","text":"Grüße\r\n😀 <b>","extra":1}"#)
      #expect(first.status == .created)
      #expect(first.fields[.location] == "/api/v1/rooms/\(room)/messages/1")
      let message = try first.json()
      #expect(
        message.names == [
          "room_id", "seq", "client_id", "sender", "text", "reply_to", "created_at", "edited_at", "deleted_at",
          "forwarded_from", "mentions",
        ])
      #expect(message["text"]?.text == "Grüße\n😀 <b>" && message["client_id"]?.text == id.description)
      #expect(message["created_at"]?.text == hub.clock.now.description && message["edited_at"] == .null)
      let reply = try await bob.send(.post, "/rooms/\(room)/messages", #"{"text":"Yes","reply_to":1}"#)
      #expect(try reply.json()["reply_to"]?.integer == 1 && reply.json()["seq"]?.integer == 2)
      #expect(try await bob.get("/rooms/\(room)/messages/1").json() == message)
      #expect(try await bob.get("/rooms/\(room)").json()["last_message"]?["seq"]?.integer == 2)
    }
  }

  @Test("The same client id gives 201, then 200 with the original, and 409 with another text or room", .shows("S2"))
  func idempotent() async throws {
    try await withRoom { hub, ada, bob, room in
      let other = try await ada.room(with: try await hub.signUp("Cleo"))
      let id = ClientMessageID(at: hub.clock.now)
      func send(_ text: String, _ room: String, by person: Person) async throws -> TestResponse {
        try await person.send(.post, "/rooms/\(room)/messages", #"{"client_id":"\#(id)","text":"\#(text)"}"#)
      }
      let first = try await send("one", room, by: ada)
      hub.clock.advance(by: .seconds(9))
      let again = try await send("one", room, by: ada)
      #expect(first.status == .created && again.status == .ok && again.fields[.location] == nil)
      #expect(first.body == again.body)
      try await send("two", room, by: ada).expectProblem(.conflict, "conflict")
      try await send("one", other, by: ada).expectProblem(.conflict, "conflict")
      // Another sender's ids are separate.
      #expect(try await send("one", room, by: bob).status == .created)
      #expect(try await ada.get("/rooms/\(room)/messages").json().array.count == 2)
      // Without an id each call is a new message.
      #expect(try await ada.say("x", in: room) == 3)
      #expect(try await ada.say("x", in: room) == 4)
    }
  }

  @Test("A retry after an edit returns the message as it is now", .shows("S2"))
  func retryAfterEdit() async throws {
    try await withRoom { hub, ada, _, room in
      let body = #"{"client_id":"\#(ClientMessageID(at: hub.clock.now))","text":"one"}"#
      #expect(try await ada.send(.post, "/rooms/\(room)/messages", body).status == .created)
      let edited = try await ada.send(.patch, "/rooms/\(room)/messages/1", #"{"text":"uno"}"#)
      #expect(edited.status == .ok)
      let retry = try await ada.send(.post, "/rooms/\(room)/messages", body)
      #expect(retry.status == .ok)
      #expect(try retry.json()["text"]?.text == "uno" && retry.json()["seq"]?.integer == 1)
      #expect(try await ada.get("/rooms/\(room)/messages").json().array.count == 1)
    }
  }

  @Test("Errors in a message are reported by field, all at once", .shows("S3"))
  func refuses() async throws {
    try await withRoom { _, ada, _, room in
      let long = String(repeating: "x", count: 10_001)
      let wrong: [(String, [String: String])] = [
        ("{}", ["text": "required"]), (#"{"text":" \n "}"#, ["text": "required"]),
        (#"{"text":"\#(long)"}"#, ["text": "too_long"]), (#"{"text":"a\u0000b"}"#, ["text": "invalid"]),
        (#"{"text":5}"#, ["text": "wrong_type"]), (#"{"text":"x","client_id":"y"}"#, ["client_id": "invalid"]),
        (
          #"{"text":"","client_id":7,"reply_to":"z"}"#,
          ["text": "required", "client_id": "wrong_type", "reply_to": "wrong_type"]
        ),
        (#"{"text":"","reply_to":0}"#, ["text": "required", "reply_to": "invalid"]),
        (#"{"text":"x","reply_to":99}"#, ["reply_to": "invalid"]),
      ]
      for (body, errors) in wrong {
        let answer = try await ada.send(.post, "/rooms/\(room)/messages", body)
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == errors, "\(body.prefix(60))")
      }
      #expect(try await ada.get("/rooms/\(room)").json()["last_seq"]?.integer == 0)
      let most = String(repeating: #"\ud83d\ude00"#, count: 10_000)
      #expect(try await ada.send(.post, "/rooms/\(room)/messages", #"{"text":"\#(most)"}"#).status == .created)
    }
  }

  @Test("One's own message can be edited and deleted, others' cannot; a deleted one keeps its place", .shows("C7"))
  func editsAndDeletes() async throws {
    try await withRoom { hub, ada, bob, room in
      try await ada.say("one", in: room)
      let path = "/rooms/\(room)/messages/1"
      try await bob.send(.patch, path, #"{"text":"x"}"#).expectProblem(.forbidden, "forbidden")
      try await bob.send(.delete, path).expectProblem(.forbidden, "forbidden")
      hub.clock.advance(by: .seconds(1))
      let edited = try await ada.send(.patch, path, #"{"text":"uno"}"#).json()
      #expect(edited["text"]?.text == "uno" && edited["edited_at"]?.text == hub.clock.now.description)
      #expect(
        try await ada.send(.patch, path, #"{"text":""}"#).expectProblem(.unprocessableContent, "invalid")
          == ["text": "required"])
      let unclear = try await ada.send(.delete, path + "?for=some")
      #expect(try unclear.expectProblem(.unprocessableContent, "invalid") == ["for": "invalid"])
      #expect(try await bob.get(path).json()["text"]?.text == "uno")
      #expect(try await ada.send(.delete, path).status == .noContent)
      #expect(try await ada.send(.delete, path).status == .noContent)
      let deleted = try await bob.get(path).json()
      #expect(deleted["text"]?.text == "" && deleted["deleted_at"]?.text == hub.clock.now.description)
      try await ada.send(.patch, path, #"{"text":"x"}"#).expectProblem(.conflict, "conflict")
      for missing in ["2", "0", "-1", "x", "99999999999999999999"] {
        try await ada.get("/rooms/\(room)/messages/" + missing).expectProblem(.notFound, "not-found")
      }
    }
  }

  @Test("Link pages through messages both ways to the ends, without gaps or repeats, with any limit", .shows("C3"))
  func pages() async throws {
    try await withRoom { hub, ada, _, room in
      for number in 1...11 {
        hub.clock.advance(by: .seconds(60))
        try await ada.say("m\(number)", in: room)
      }
      func page(_ path: String) async throws -> (seqs: [Int], next: String?, previous: String?) {
        let answer = try await hub.memory.send(.get, path, fields: [.cookie: ada.cookie])
        #expect(answer.status == .ok)
        return (
          try answer.json().array.compactMap { $0["seq"]?.integer }, answer.link("next"), answer.link("prev")
        )
      }
      let base = "/api/v1/rooms/\(room)/messages"
      let newest = try await page(base)
      #expect(newest.seqs == Array(1...11) && newest.next == nil && newest.previous == nil)
      for limit in [1, 2, 3, 5, 10, 11, 12] {
        for start in ["", "around=6&", "before=7&", "after=4&", "after=0&", "after=11&", "before=1&", "before=99&"] {
          let first = try await page(base + "?\(start)limit=\(limit)")
          var seqs = first.seqs
          var (next, previous) = (first.next, first.previous)
          while let path = previous {
            let page = try await page(path)
            #expect(!page.seqs.isEmpty)
            seqs = page.seqs + seqs
            previous = page.previous
          }
          while let path = next {
            let page = try await page(path)
            #expect(!page.seqs.isEmpty)
            seqs += page.seqs
            next = page.next
          }
          #expect(seqs == Array(1...11), "limit \(limit), from \(start)")
        }
      }
      let around = try await page(base + "?around=6&limit=3")
      #expect(around.seqs.contains(6) && around.seqs.count == 3)
      let day = hub.clock.now.adding(seconds: -120)
      let dated = try await page(base + "?limit=3&on=" + day.description)
      #expect(dated.seqs.contains(9))
      let newestTwo = try await page(base + "?limit=2")
      #expect(newestTwo.seqs == [10, 11])
    }
  }

  @Test("A wrong cursor is reported by name, and so are two cursors")
  func cursors() async throws {
    try await withRoom { _, ada, _, room in
      let wrong: [(String, [String: String])] = [
        ("before=x", ["before": "invalid"]), ("after=-1", ["after": "invalid"]),
        ("around=1.5", ["around": "invalid"]), ("on=yesterday", ["on": "invalid"]),
        ("limit=0", ["limit": "invalid"]), ("before=5&after=1", ["before": "invalid", "after": "invalid"]),
      ]
      for (query, errors) in wrong {
        let answer = try await ada.get("/rooms/\(room)/messages?" + query)
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == errors)
      }
      #expect(try await ada.get("/rooms/\(room)/messages?limit=201").status == .ok)
    }
  }
}
