import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Rooms, messages and receipts")
struct RoomTests {
  @Test("A direct room is created once, whoever asks, and looks as each of the two sees it", .shows("D6", "L1"))
  func opens() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada", "Lovelace"), try await hub.signUp("Bob"))
      let made = try await ada.send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(bob.id)"}"#)
      #expect(made.status == .created)
      let room = try made.json()
      let id = try #require(room["id"]?.text)
      #expect(made.fields[.location] == "/api/v1/rooms/\(id)")
      #expect(
        room.names == [
          "id", "kind", "name", "topic", "peer", "members_count", "role", "muted", "pinned", "last_seq", "read_seq",
          "unread_count", "last_message", "draft", "created_at", "updated_at", "public", "avatar_url", "hidden",
          "mention_level", "mention_count", "cleared_seq", "cleared_change", "repository",
        ])
      #expect(room["kind"]?.text == "direct" && room["peer"]?["id"]?.text == bob.id.description)
      #expect(room["last_message"] == .null && room["members_count"]?.integer == 2)
      let again = try await bob.send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(ada.id)"}"#)
      #expect(again.status == .ok && again.fields[.location] == nil)
      #expect(try again.json()["id"]?.text == id)
      #expect(try again.json()["name"]?.text == "Ada Lovelace")
      let members = try await bob.get("/rooms/\(id)/members").json().array
      #expect(members.map { $0["name"]?.text } == ["Ada Lovelace", "Bob"])
      #expect(members.allSatisfy { $0["role"]?.text != nil && $0["online"]?.flag == false })
    }
  }

  @Test("A room by login is the room with the person who has that account, or will have it", .shows("D7"))
  func opensByLogin() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let directory = try #require(hub.directory as? ScriptedDirectory)
      directory.script.accounts = [
        "octocat": .success(GitHubAccount(id: 583_231, login: "octocat", type: "User", avatarURL: "")),
        "nobody": .failure(DirectoryFailure(kind: .notFound, message: "Not Found")),
        "late": .failure(
          DirectoryFailure(kind: .unreachable, status: nil, requestID: nil, message: "The network is down.")),
      ]
      let made = try await ada.send(.post, "/rooms", #"{"kind":"direct","github_login":"octocat"}"#)
      #expect(made.status == .created)
      let peer = try #require(try made.json()["peer"])
      #expect(peer["login"]?.text == "octocat" && peer["github_id"]?.integer == 583_231)
      #expect(peer["member"]?.flag == false && peer["avatar_url"]?.text == "/api/v1/avatars/github-583231")
      #expect(try await ada.send(.post, "/rooms", #"{"kind":"direct","github_login":"octocat"}"#).status == .ok)
      let nobody = try await ada.send(.post, "/rooms", #"{"kind":"direct","github_login":"nobody"}"#)
      try nobody.expectProblem(.notFound, "not-found")
      let late = try await ada.send(.post, "/rooms", #"{"kind":"direct","github_login":"late"}"#)
      try late.expectProblem(.serviceUnavailable, "github-unavailable")
      #expect(try late.json()["github_message"]?.text == "The network is down.")
    }
  }

  @Test("Errors in a room are reported by field")
  func refusesRooms() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      func errors(_ body: String) async throws -> [String: String] {
        try await ada.send(.post, "/rooms", body).expectProblem(.unprocessableContent, "invalid")
      }
      #expect(try await errors("{}") == ["kind": "required"])
      #expect(try await errors(#"{"kind":"direct"}"#) == ["user_id": "required"])
      #expect(try await errors(#"{"kind":"else"}"#) == ["kind": "invalid"])
      #expect(
        try await errors(#"{"kind":1,"user_id":2,"github_login":[]}"#)
          == ["kind": "wrong_type", "user_id": "wrong_type", "github_login": "wrong_type"])
      #expect(
        try await errors(#"{"kind":"direct","user_id":"\#(bob.id)","github_login":"bob"}"#) == ["user_id": "invalid"])
      #expect(try await errors(#"{"kind":"direct","user_id":"\#(ada.id)"}"#) == ["user_id": "invalid"])
      #expect(try await errors(#"{"kind":"direct","github_login":" "}"#) == ["github_login": "required"])
      for id in ["nonsense", UserID(at: hub.clock.now).description] {
        let unknown = try await ada.send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(id)"}"#)
        try unknown.expectProblem(.notFound, "not-found")
      }
    }
  }

  @Test(
    "Chats are listed newest first, with Link through all pages, and the event that they reflect",
    .shows("L1"))
  func lists() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      var expected: [String] = []
      for name in ["Bob", "Cleo", "Dan", "Eve", "Fay"] {
        hub.clock.advance(by: .milliseconds(1))
        expected.insert(try await ada.room(with: try await hub.signUp(name)), at: 0)
      }
      #expect(try await ada.get("/rooms").json().array.map { $0["id"]?.text } == expected)
      for limit in 1...6 {
        var seen: [String?] = []
        var pages = 0
        var path: String? = "/api/v1/rooms?limit=\(limit)"
        while let next = path {
          let page = try await hub.memory.send(.get, next, fields: [.cookie: ada.cookie])
          #expect(page.fields["hubbub-event-id"] == String(try await hub.store.lastEventID()))
          seen += try page.json().array.map { $0["id"]?.text }
          path = page.link("next")
          pages += 1
        }
        #expect(seen == expected && pages == (5 + limit - 1) / limit)
      }
      for query in ["limit=0", "limit=x", "limit=-1", "cursor=x", "cursor=\(ada.id).x", "cursor=x.1"] {
        try await ada.get("/rooms?" + query).expectProblem(.unprocessableContent, "invalid")
      }
      #expect(try await ada.get("/rooms?limit=100000").json().array.count == 5)
    }
  }

  @Test("Reads have an ETag and answer 304 until they change")
  func entityTags() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await ada.say("one", in: room)
      let paths = [
        "/session", "/sessions", "/users", "/users/\(bob.id)", "/rooms", "/rooms/\(room)", "/rooms/\(room)/members",
        "/rooms/\(room)/messages", "/rooms/\(room)/messages/1", "/rooms/\(room)/receipts",
      ]
      for path in paths {
        let first = try await ada.get(path)
        let tag = try #require(first.fields[.etag], "\(path)")
        // Responses about sessions and own settings are not even stored.
        let caching = path.hasPrefix("/session") ? "no-store" : "private, no-cache"
        #expect(first.fields[.cacheControl] == caching && first.fields[.vary]?.hasPrefix("Cookie") == true)
        let second = try await ada.get(path, fields: [.ifNoneMatch: "\"other\", \(tag)"])
        #expect(second.status == .notModified && second.body.isEmpty, "\(path)")
        #expect(second.fields[.etag] == tag && second.fields["hubbub-event-id"] == first.fields["hubbub-event-id"])
        let head = try await ada.send(.head, path)
        #expect(head.status == .ok && head.body.isEmpty && head.fields[.etag] == tag)
        let refused = try await ada.get(path, fields: [.ifMatch: "\"other\""])
        try refused.expectProblem(.preconditionFailed, "conflict")
      }
      let tag = try #require(try await ada.get("/rooms/\(room)").fields[.etag])
      try await bob.say("two", in: room)
      #expect(try await ada.get("/rooms/\(room)", fields: [.ifNoneMatch: tag]).status == .ok)
    }
  }

  @Test("A room's repository is set and removed by either person of a direct chat, for both", .shows("K5"))
  func repository() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let made = try await ada.send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(bob.id)"}"#)
      let id = try #require(try made.json()["id"]?.text)
      let path = "/rooms/\(id)"
      var start = try await hub.store.lastEventID()
      #expect(try await ada.get(path).json()["repository"] == .null)
      #expect(try await ada.send(.patch, path, #"{"repository":"apple/swift"}"#).status == .ok)
      // The peer hears of a chat with its first message.
      #expect(try await bob.told(after: start).isEmpty)
      #expect(try await ada.told(after: start).map(\.name) == ["room.updated"])
      try await ada.say("Look at #1", in: id)
      #expect(try await bob.get(path).json()["repository"]?.text == "apple/swift")

      start = try await hub.store.lastEventID()
      let tag = try #require(try await bob.get(path).fields[.etag])
      let changed = try await bob.send(.patch, path, #"{"repository":" a/b "}"#, fields: [.ifMatch: tag])
      #expect(try changed.json()["repository"]?.text == "a/b")
      try await bob.send(.patch, path, #"{"repository":null}"#, fields: [.ifMatch: tag])
        .expectProblem(.preconditionFailed, "conflict")
      for person in [ada, bob] {
        let told = try await person.told(after: start)
        #expect(told.map(\.name) == ["room.updated"] && told[0].data["repository"]?.text == "a/b")
      }
      for wrong in ["", "swift", "a/b/c", "a/..", "https://github.com/a/b", "a b/c"] {
        let refused = try await ada.send(.patch, path, #"{"repository":"\#(wrong)"}"#)
        #expect(try refused.expectProblem(.unprocessableContent, "invalid") == ["repository": "invalid"])
      }
      #expect(
        try await ada.send(.patch, path, #"{"repository":1}"#).expectProblem(.unprocessableContent, "invalid")
          == ["repository": "wrong_type"])
      #expect(try await ada.send(.patch, path, #"{"repository":null}"#).json()["repository"] == .null)
    }
  }

  @Test("A change is made only to what If-Match names: else 412, and nothing is changed")
  func preconditions() async throws {
    try await TestHub.with { hub in
      let (ada, bob, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"), try await hub.signUp("Eve"))
      let room = try await ada.room(with: bob)
      try await ada.say("one", in: room)
      let (path, message) = ("/rooms/\(room)", "/rooms/\(room)/messages/1")
      let draft = #"{"draft":"Dear B"}"#
      for tag in ["\"other\"", "W/\"weak\"", "nonsense"] {
        let refused = try await ada.send(.patch, path, draft, fields: [.ifMatch: tag])
        try refused.expectProblem(.preconditionFailed, "conflict")
        try await ada.send(.patch, message, #"{"text":"two"}"#, fields: [.ifMatch: tag])
          .expectProblem(.preconditionFailed, "conflict")
        try await ada.send(.delete, message, fields: [.ifMatch: tag]).expectProblem(.preconditionFailed, "conflict")
      }
      #expect(try await ada.get(path).json()["draft"]?.text == "")
      #expect(try await ada.get(message).json()["text"]?.text == "one")

      let tag = try #require(try await ada.get(path).fields[.etag])
      // What happens elsewhere is no change of this room.
      _ = try await eve.send(.patch, "/me", #"{"last_name":"L"}"#)
      #expect(try await ada.send(.patch, path, draft, fields: [.ifMatch: tag]).status == .ok)
      try await ada.send(.patch, path, "{}", fields: [.ifMatch: tag]).expectProblem(.preconditionFailed, "conflict")
      let former = try #require(try await ada.get(message).fields[.etag])
      #expect(try await ada.send(.patch, message, #"{"text":"two"}"#, fields: [.ifMatch: former]).status == .ok)
      try await ada.send(.delete, message, fields: [.ifMatch: former]).expectProblem(.preconditionFailed, "conflict")
      #expect(try await ada.send(.delete, message, fields: [.ifMatch: "*"]).status == .noContent)
      // Whoever would be refused anyway is told of that, and learns nothing of the room.
      try await eve.send(.patch, path, "{}", fields: [.ifMatch: tag]).expectProblem(.notFound, "not-found")
      // What cannot be read has no tag that could be named.
      try await ada.send(.patch, "/me", "{}", fields: [.ifMatch: tag]).expectProblem(.preconditionFailed, "conflict")
    }
  }

  @Test("Of several changes that name the same state, one is made")
  func oneOfMany() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let path = "/rooms/\(try await ada.room(with: bob))"
      let tag = try #require(try await ada.get(path).fields[.etag])
      let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
        for number in 0..<8 {
          group.addTask { try await ada.send(.patch, path, #"{"draft":"\#(number)"}"#, fields: [.ifMatch: tag]).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == .ok }.count == 1 && statuses.filter { $0 == .preconditionFailed }.count == 7)
    }
  }

  @Test("A draft is stored; fields that a direct room lacks are refused, the whole request at once", .shows("K3"))
  func updates() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      let kept = try await ada.send(.patch, "/rooms/\(room)", #"{"draft":"Dear B"}"#)
      #expect(kept.status == .ok)
      #expect(try kept.json()["draft"]?.text == "Dear B")
      #expect(try await bob.get("/rooms/\(room)").json()["draft"]?.text == "")
      #expect(try await ada.send(.patch, "/rooms/\(room)", "{}").json()["draft"]?.text == "Dear B")
      let long = String(repeating: #"\ud83d\ude00"#, count: 10_000)
      #expect(try await ada.send(.patch, "/rooms/\(room)", #"{"draft":"\#(long)"}"#).status == .ok)
      let refused = try await ada.send(
        .patch, "/rooms/\(room)",
        #"{"mention_level":"some","name":"n","topic":"t","muted":1,"pinned":"no"}"#)
      let errors = try refused.expectProblem(.unprocessableContent, "invalid")
      #expect(
        errors == [
          "mention_level": "invalid", "name": "invalid", "topic": "invalid", "muted": "wrong_type",
          "pinned": "wrong_type",
        ])
      let tooLong = try await ada.send(.patch, "/rooms/\(room)", #"{"draft":"\#(long)x"}"#)
      #expect(try tooLong.expectProblem(.unprocessableContent, "invalid") == ["draft": "too_long"])
    }
  }

  @Test("Pointers move forward only, except by marking as unread", .shows("S1", "S4"))
  func receipts() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      for number in 1...5 { try await ada.say("m\(number)", in: room) }
      func move(_ body: String) async throws -> [Int?] {
        let answer = try await bob.send(.put, "/rooms/\(room)/receipt", body)
        #expect(answer.status == .ok)
        let receipt = try answer.json()
        #expect(receipt["room_id"]?.text == room && receipt["user_id"]?.text == bob.id.description)
        return [receipt["delivered_seq"]?.integer, receipt["read_seq"]?.integer]
      }
      #expect(try await bob.get("/rooms/\(room)").json()["unread_count"]?.integer == 5)
      #expect(try await move(#"{"delivered_seq":4}"#) == [4, 0])
      #expect(try await move(#"{"read_seq":3,"delivered_seq":1}"#) == [4, 3])
      #expect(try await move(#"{"read_seq":1}"#) == [4, 3])
      #expect(try await move(#"{"read_seq":99}"#) == [5, 5])
      #expect(try await move(#"{"unread_from":2}"#) == [5, 1])
      #expect(try await bob.get("/rooms/\(room)").json()["unread_count"]?.integer == 4)
      let list = try await ada.get("/rooms/\(room)/receipts")
      #expect(list.fields["hubbub-event-id"] == String(try await hub.store.lastEventID()))
      let receipts = try list.json().array
      #expect(Set(receipts.map { $0["read_seq"]?.integer }) == [1, 5] && receipts.count == 2)
      let wrong: [(String, [String: String])] = [
        ("{}", ["read_seq": "required"]), (#"{"read_seq":"1"}"#, ["read_seq": "wrong_type"]),
        (#"{"delivered_seq":1.5,"read_seq":true}"#, ["delivered_seq": "wrong_type", "read_seq": "wrong_type"]),
        (#"{"read_seq":-1,"delivered_seq":-2}"#, ["read_seq": "invalid", "delivered_seq": "invalid"]),
        (#"{"unread_from":1,"read_seq":1}"#, ["unread_from": "invalid"]),
        (#"{"unread_from":0}"#, ["unread_from": "invalid"]),
      ]
      for (body, errors) in wrong {
        let answer = try await bob.send(.put, "/rooms/\(room)/receipt", body)
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == errors)
      }
    }
  }

  @Test("Typing accepts true or false", .shows("S6"))
  func typing() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      for body in [#"{"typing":true}"#, #"{"typing":false}"#, #"{"typing":false}"#] {
        #expect(try await ada.send(.post, "/rooms/\(room)/typing", body).status == .noContent)
      }
      for (body, code) in [("{}", "required"), (#"{"typing":"yes"}"#, "wrong_type"), (#"{"typing":null}"#, "required")]
      {
        let answer = try await ada.send(.post, "/rooms/\(room)/typing", body)
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == ["typing": code])
      }
    }
  }
}
