import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("GET /search", .shows("Q1"))
struct SearchTests {
  @Test("One field finds people, rooms and messages; a message has its snippet and its room", .shows("Q1"))
  func finds() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada", "Lovelace"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await ada.say("Bob, fix <b>Sources/Chat/Room.swift</b> please", in: room)
      let answer = try await ada.get("/search?q=bob")
      #expect(answer.status == .ok && answer.fields[.etag] != nil && answer.fields[.link] == nil)
      let found = try answer.json()
      #expect(found.names == ["users", "rooms", "messages"])
      #expect(found["users"]?.array.map { $0["id"]?.text } == [bob.id.description])
      #expect(found["rooms"]?.array.map { $0["id"]?.text } == [room])
      let message = try #require(found["messages"]?.array.first)
      #expect(message["seq"]?.integer == 1 && message["sender"]?["id"]?.text == ada.id.description)
      #expect(message["room"]?.names == ["id", "name", "kind"])
      #expect(message["room"]?["id"]?.text == room && message["room"]?["name"]?.text == "Bob")
      #expect(message["room"]?["kind"]?.text == "direct")
      let stored = try await ada.get("/rooms/\(room)/messages/1").json()
      for name in stored.names where name != "sender" { #expect(message[name] == stored[name], "\(name)") }
      let path = try await bob.get("/search?q=chat/room.sw&types=messages").json()
      let pieces = try #require(path["messages"]?.array.first?["snippet"]?.array)
      #expect(pieces.map { $0["text"]?.text } == ["Bob, fix <b>Sources/", "Chat/Room.swift", "</b> please"])
      #expect(pieces.map { $0["hit"]?.flag } == [false, true, false])
      #expect(path["users"] == .array([]) && path["rooms"] == .array([]))
      #expect(try await bob.get("/search?q=oom.swif").json()["messages"]?.array.count == 1)
      let again = try await ada.get("/search?q=bob", fields: ["if-none-match": try #require(answer.fields[.etag])])
      #expect(again.status == .notModified)
    }
  }

  @Test("Link pages to the end, newest first; people and rooms are on the first page only", .shows("Q1"))
  func pages() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      for number in 1...7 { try await ada.say("bob \(number)", in: room) }
      for limit in [1, 2, 3, 7, 8] {
        var (seen, pages, people) = ([Int?](), 0, 0)
        var path: String? = "/api/v1/search?q=bob&limit=\(limit)"
        while let next = path {
          let page = try await hub.memory.send(.get, next, fields: [.cookie: ada.cookie])
          let found = try page.json()
          seen += found["messages"]?.array.map { $0["seq"]?.integer } ?? []
          people += (found["users"]?.array.count ?? 0) + (found["rooms"]?.array.count ?? 0)
          path = page.link("next")
          pages += 1
        }
        #expect(seen == [7, 6, 5, 4, 3, 2, 1] && pages == (7 + limit - 1) / limit && people == 2)
      }
    }
  }

  @Test("Filters can be in q or in parameters, and apply to messages only", .shows("Q1"))
  func filters() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await ada.say("see https://example.org", in: room)
      try await bob.say("see @ada `code`", in: room)
      func seqs(_ query: String) async throws -> [Int?] {
        let found = try await ada.get("/search?" + query).json()
        #expect(found["users"] == .array([]) && found["rooms"] == .array([]))
        return found["messages"]?.array.map { $0["seq"]?.integer } ?? []
      }
      #expect(try await seqs("q=see%20from:bob") == [2])
      #expect(try await seqs("q=see&from=\(ada.id)") == [1])
      #expect(try await seqs("in=\(room)") == [2, 1])
      #expect(try await seqs("q=in:bob%20has:link") == [1])
      #expect(try await seqs("has=code,mention") == [2])
      #expect(try await seqs("has=link&q=see%20") == [1])
      #expect(try await seqs("before=2000-01-01") == [])
      #expect(try await seqs("q=after:2000-01-01%20see") == [2, 1])
      #expect(try await seqs("q=see&types=messages&after=2000-01-01T00:00:00Z&limit=1") == [2])
      let onlyPeople = try await ada.get("/search?q=bob&types=users").json()
      #expect(onlyPeople["users"]?.array.count == 1 && onlyPeople["messages"] == .array([]))
    }
  }

  @Test(
    "Errors are reported at q or at the parameter", .shows("Q1"),
    arguments: [
      ("", "q", "required"), ("q=%20", "q", "required"), ("q=from:nobody", "q", "invalid"),
      ("from=nobody", "from", "invalid"),
      ("in=nowhere", "in", "invalid"), ("q=x&before=soon", "before", "invalid"), ("q=x&has=dogs", "has", "invalid"),
      ("q=before:soon", "q", "invalid"), ("q=x&types=cats", "types", "invalid"), ("q=x&types=", "types", "invalid"),
      ("q=x&cursor=x", "cursor", "invalid"), ("q=x&cursor=w.x", "cursor", "invalid"),
      ("q=x&cursor=z.1", "cursor", "invalid"),
      ("q=x&cursor=w.-1", "cursor", "invalid"), ("q=x&limit=0", "limit", "invalid"),
      ("q=" + String(repeating: "x", count: 201), "q", "too_long"),
    ])
  func refusals(query: String, field: String, code: String) async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let errors = try await ada.get("/search?" + query).expectProblem(.unprocessableContent, "invalid")
      #expect(errors == [field: code])
    }
  }

  @Test(
    "An outsider finds nothing of a room with any query, and cannot tell that it exists",
    .shows("control 8", "Q1"))
  func outsiders() async throws {
    try await TestHub.with { hub in
      let (ada, bob, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"), try await hub.signUp("Eve"))
      let room = try await ada.room(with: bob)
      try await ada.say("the secret", in: room)
      // First proves that she is an outsider and that there is something to find.
      let members = try await hub.store.members(of: try #require(RoomID(room)), for: ada.id)
      try #require(!members.contains { $0.user.id == eve.id })
      #expect(try await ada.get("/search?q=secret").json()["messages"]?.array.count == 1)
      let queries = [
        "q=secret", "q=ecre", "q=from:ada", "from=\(ada.id)", "q=%22the%20secret%22", "q=secret&cursor=p.99",
      ]
      for query in queries {
        let found = try await eve.get("/search?" + query).json()
        #expect(found["messages"] == .array([]) && found["rooms"] == .array([]), "\(query)")
      }
      let theirs = try await eve.get("/search?in=\(room)")
      try theirs.expectProblem(.unprocessableContent, "invalid")
      let missing = RoomID(at: hub.clock.now).description
      let none = try await eve.get("/search?in=\(missing)")
      #expect(theirs.text.replacing(room, with: "").prefix(200) == none.text.replacing(missing, with: "").prefix(200))
      try await hub.memory.send(.get, "/api/v1/search?q=secret").expectProblem(.unauthorized, "unauthenticated")
    }
  }
}
