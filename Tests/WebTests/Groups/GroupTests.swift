import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// A group's shared properties: creating and changing it.
@Suite("Groups")
struct GroupTests {
  private func with(_ body: (TestHub, Cast) async throws -> Void) async throws {
    try await TestHub.with { hub in try await body(hub, try await Cast(hub)) }
  }

  @Test("A group is created with its members; each gets an event with their view, others none", .shows("R1"))
  func makes() async throws {
    try await with { hub, cast in
      let start = try await hub.store.lastEventID()
      let ids = [cast.member.id, cast.admin.id, cast.member.id, cast.owner.id].map { "\"\($0)\"" }.joined(
        separator: ",")
      let made = try await cast.owner.send(
        .post, "/rooms", #"{"kind":"group","name":"  Engine ","topic":" Steam\n","member_ids":[\#(ids)]}"#)
      #expect(made.status == .created, "\(made.text)")
      let room = try made.json()
      let id = try #require(room["id"]?.text)
      #expect(made.fields[.location] == "/api/v1/rooms/\(id)")
      #expect(room["kind"]?.text == "group" && room["name"]?.text == "Engine" && room["topic"]?.text == "Steam")
      #expect(room["role"]?.text == "owner" && room["public"]?.flag == false && room["peer"] == .null)
      #expect(room["members_count"]?.integer == 3 && room["unread_count"]?.integer == 0)
      #expect(room["avatar_url"]?.text?.contains("/avatars/initials-") == true)
      for (person, role) in [(cast.owner, "owner"), (cast.admin, "member"), (cast.member, "member")] {
        let told = try await person.told(after: start)
        #expect(told.map(\.name) == ["room.created"] && told[0].data["role"]?.text == role)
        #expect(try await person.lists(id))
      }
      #expect(try await cast[.outsider].told(after: start).isEmpty)
    }
  }

  @Test("Errors in a group are reported by field, at the exact limits", .shows("R1"))
  func refuses() async throws {
    try await with { hub, cast in
      func make(_ members: String) async throws -> TestResponse {
        try await cast.owner.send(.post, "/rooms", #"{"kind":"group","# + members.dropFirst())
      }
      func errors(_ members: String) async throws -> [String: String] {
        try await make(members).expectProblem(.unprocessableContent, "invalid")
      }
      let letter = #"\ud83d\ude00"#
      func long(_ count: Int) -> String { String(repeating: letter, count: count) }
      let longest = try await make(#"{"name":"\#(long(80))","topic":"\#(long(400))"}"#)
      #expect(longest.status == .created)
      #expect(
        try await errors(#"{"name":"\#(long(81))","topic":"\#(long(401))"}"#)
          == ["name": "too_long", "topic": "too_long"])
      #expect(try await errors(#"{"topic":"x"}"#) == ["name": "required"])
      #expect(try await errors(#"{"name":" \t "}"#) == ["name": "required"])
      #expect(
        try await errors(#"{"name":"two\nlines","topic":"a\u0000b"}"#) == ["name": "invalid", "topic": "invalid"])
      #expect(
        try await errors(#"{"name":1,"topic":[],"public":"yes","member_ids":"x"}"#)
          == ["name": "wrong_type", "topic": "wrong_type", "public": "wrong_type", "member_ids": "wrong_type"])
      #expect(try await errors(#"{"name":"x","member_ids":["nonsense"]}"#) == ["member_ids": "invalid"])
      let unknown = UserID(at: hub.clock.now)
      #expect(try await errors(#"{"name":"x","member_ids":["\#(unknown)"]}"#) == ["member_ids": "invalid"])
      let many = [String](repeating: "\"\(unknown)\"", count: GroupRules.mostNamedMembers + 1).joined(separator: ",")
      #expect(try await errors(#"{"name":"x","member_ids":[\#(many)]}"#) == ["member_ids": "too_long"])
    }
  }

  @Test("A change of name and topic sends each member their own view, once", .shows("R1", "L2"))
  func changes() async throws {
    try await with { hub, cast in
      let room = try await cast.group()
      _ = try await cast.member.send(.patch, "/rooms/\(room)", #"{"muted":true}"#)
      let start = try await hub.store.lastEventID()
      let body = #"{"name":"Engines","topic":"All of them","public":true,"pinned":true}"#
      let changed = try await cast.admin.send(.patch, "/rooms/\(room)", body)
      #expect(changed.status == .ok)
      #expect(try changed.json()["name"]?.text == "Engines" && changed.json()["pinned"]?.flag == true)
      let told = try await cast.member.told(after: start)
      #expect(told.map(\.name) == ["room.updated"] + Array(repeating: "room.changed", count: 3))
      #expect(told[0].data["name"]?.text == "Engines" && told[0].data["public"]?.flag == true)
      #expect(told[0].data["muted"]?.flag == true && told[0].data["pinned"]?.flag == false)
      // A change of one's own view is announced to one's own devices only.
      #expect(try await cast.admin.told(after: start).map(\.name) == told.map(\.name) + ["room.updated"])
      for actor in [Actor.outsider, .removed, .banned] {
        #expect(try await cast[actor].told(after: start).allSatisfy { $0.name == "user.updated" })
      }
      let after = try await hub.store.lastEventID()
      #expect(
        try await cast.owner.send(.patch, "/rooms/\(room)", body.replacing(",\"pinned\":true", with: "")).status == .ok)
      #expect(try await hub.store.lastEventID() == after)
      let wrong = try await cast.owner.send(
        .patch, "/rooms/\(room)", #"{"name":" ","topic":"a\u0007b","public":1,"mention_level":"some"}"#)
      #expect(
        try wrong.expectProblem(.unprocessableContent, "invalid")
          == ["name": "required", "topic": "invalid", "public": "wrong_type", "mention_level": "invalid"])
    }
  }

  @Test("A group's repository is for its owner and admins to set; all members are told", .shows("K5", "R5"))
  func repository() async throws {
    try await with { hub, cast in
      let path = "/rooms/\(try await cast.group(isPublic: true))"
      let body = #"{"repository":"apple/swift"}"#
      try await cast.member.send(.patch, path, body).expectProblem(.forbidden, "forbidden")
      try await cast[.removed].send(.patch, path, body).expectProblem(.notFound, "not-found")
      let start = try await hub.store.lastEventID()
      #expect(try await cast.admin.send(.patch, path, body).json()["repository"]?.text == "apple/swift")
      let told = try await cast.member.told(after: start)
      #expect(told.map(\.name) == ["room.updated", "room.changed"])
      #expect(told[0].data["repository"]?.text == "apple/swift")
      #expect(told[1].data["kind"]?.text == "repository_set" && told[1].data["text"]?.text == "apple/swift")
      #expect(try await cast[.outsider].get(path).json()["repository"]?.text == "apple/swift")
      #expect(try await cast.owner.send(.patch, path, #"{"repository":null}"#).json()["repository"] == .null)
      #expect(try await cast.member.told(after: start)[0].data["repository"]?.text == "apple/swift")
    }
  }

  @Test("A member who requests more than a change of their own view is refused entirely", .shows("R1"))
  func ownViewOnly() async throws {
    try await with { hub, cast in
      let room = try await cast.group()
      let path = "/rooms/\(room)"
      try await cast.member.send(.patch, path, #"{"name":"Mine","muted":true}"#).expectProblem(.forbidden, "forbidden")
      #expect(try await cast.member.get(path).json()["muted"]?.flag == false)
      #expect(try await cast.member.send(.patch, path, #"{"muted":true}"#).status == .ok)
    }
  }

  @Test(
    "Public groups are found by name in pages, and list members, but no roles or messages to outsiders", .shows("R1"))
  func publicRooms() async throws {
    try await with { hub, cast in
      let outsider = cast[.outsider]
      var names: [String] = []
      for name in ["Zürich", "engine", "Engines", "50 % off"] {
        _ = try await cast.group(name, isPublic: true)
        names.append(name)
      }
      let hidden = try await cast.group("engine room")
      let sorted = ["50 % off", "engine", "Engines", "Zürich"]
      for limit in 1...5 {
        var (seen, path) = ([String?](), String?.some("/api/v1/public_rooms?limit=\(limit)"))
        while let next = path {
          let page = try await hub.memory.send(.get, next, fields: [.cookie: outsider.cookie])
          seen += try page.json().array.map { $0["name"]?.text }
          path = page.link("next")
        }
        #expect(seen == sorted)
      }
      func found(_ query: String) async throws -> [String?] {
        try await outsider.get("/public_rooms?query=\(query)").json().array.map { $0["name"]?.text }
      }
      #expect(try await found("ENGINE") == ["engine", "Engines"])
      #expect(try await found("z%C3%9C") == ["Zürich"])
      #expect(try await found("%25") == ["50 % off"])
      #expect(try await found("_").isEmpty)
      let (mine, theirs) = (
        try await cast.member.get("/public_rooms").json()[1], try await outsider.get("/public_rooms").json()[1]
      )
      #expect(mine?["role"]?.text == "member" && theirs?["role"] == .null)
      #expect(theirs?["members_count"]?.integer == 4 && theirs?["last_message"] == .null)
      let id = try #require(theirs?["id"]?.text)
      try await cast.owner.say("secret", in: id)
      let shown = try await outsider.get("/rooms/\(id)").json()
      #expect(shown["role"] == .null && shown["last_message"] == .null && shown["last_seq"]?.integer == 0)
      try await outsider.get("/rooms/\(id)/messages").expectProblem(.notFound, "not-found")
      try await outsider.get("/rooms/\(hidden)").expectProblem(.notFound, "not-found")
      for query in ["limit=0", "cursor=x", "cursor=a.b.c"] {
        try await outsider.get("/public_rooms?" + query).expectProblem(.unprocessableContent, "invalid")
      }
    }
  }

  @Test("Members are listed in pages linked by Link: the owner, admins, then by name", .shows("R1"))
  func membersByPage() async throws {
    try await with { hub, cast in
      let room = try await cast.group()
      for name in ["zoe", "Ada", "Eva", "bob"] {
        let person = try await hub.signUp(name)
        if name == "Eva" { _ = try await person.send(.patch, "/me", #"{"first_name":"ÉVA"}"#) }
        #expect(try await cast.admin.send(.put, "/rooms/\(room)/members/\(person.id)", "{}").status == .created)
      }
      let expected = ["Owner", "Admin", "Ada", "bob", "Member", "Other", "zoe", "ÉVA"]
      for limit in [1, 2, 3, 7, 8, 9, 200] {
        var (seen, pages, path) = ([String?](), 0, String?.some("/api/v1/rooms/\(room)/members?limit=\(limit)"))
        while let next = path {
          let page = try await hub.memory.send(.get, next, fields: [.cookie: cast.member.cookie])
          seen += try page.json().array.map { $0["name"]?.text }
          path = page.link("next")
          pages += 1
        }
        #expect(seen == expected && pages == (8 + limit - 1) / limit, "by \(limit)")
      }
      let roles = try await cast.member.get("/rooms/\(room)/members").json().array.map { $0["role"]?.text }
      #expect(roles == ["owner", "admin"] + [String](repeating: "member", count: 6))
      for query in ["limit=0", "limit=x", "cursor=x", "cursor=king.x.y"] {
        try await cast.member.get("/rooms/\(room)/members?" + query).expectProblem(.unprocessableContent, "invalid")
      }
    }
  }

  @Test(
    "Owner and admins delete anyone's message and pin; unread counts and mentions are per member",
    .shows("R1", "R3", "C7", "L1"))
  func messages() async throws {
    try await with { hub, cast in
      let room = try await cast.group()
      try await cast.other.say("@Member and @Outsider, look", in: room)
      try await cast.other.say("more", in: room)
      let seen = try await cast.member.get("/rooms/\(room)").json()
      #expect(seen["unread_count"]?.integer == 2 && seen["mention_count"]?.integer == 1)
      let mentioned = try await cast.member.get("/rooms/\(room)/messages/1").json()["mentions"]
      #expect(mentioned?.array.map(\.text) == ["\(cast.member.id)"])
      #expect(try await cast.admin.get("/rooms/\(room)").json()["mention_count"]?.integer == 0)
      #expect(try await cast.admin.send(.put, "/rooms/\(room)/pins/1", "{}").status == .noContent)
      #expect(try await cast.member.get("/rooms/\(room)/pins").json().array.map { $0["seq"]?.integer } == [1])
      #expect(try await cast.admin.send(.delete, "/rooms/\(room)/messages/1").status == .noContent)
      #expect(try await cast.member.get("/rooms/\(room)/pins").json() == .array([]))
      let after = try await cast.member.get("/rooms/\(room)").json()
      #expect(after["unread_count"]?.integer == 1 && after["mention_count"]?.integer == 0)
      for level in ["all", "mentions", "nothing"] {
        let kept = try await cast.member.send(.patch, "/rooms/\(room)", #"{"mention_level":"\#(level)"}"#)
        #expect(try kept.json()["mention_level"]?.text == level)
      }
      #expect(try await cast.other.get("/rooms/\(room)").json()["mention_level"]?.text == "all")
    }
  }

  @Test(
    "Receipts in a group are per member; members who hide theirs show and see only delivery", .shows("R4", "S6"))
  func receipts() async throws {
    try await with { hub, cast in
      let room = try await cast.group()
      try await cast.owner.say("who reads this?", in: room)
      let start = try await hub.store.lastEventID()
      _ = try await cast.member.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":1}"#)
      _ = try await cast.admin.send(.put, "/rooms/\(room)/receipt", #"{"delivered_seq":1}"#)
      func read(by person: Person, for viewer: Person) async throws -> [Int?] {
        let all = try await viewer.get("/rooms/\(room)/receipts").json().array
        #expect(all.count == 4)
        let his = all.first { $0["user_id"]?.text == "\(person.id)" }
        return [his?["delivered_seq"]?.integer, his?["read_seq"]?.integer]
      }
      #expect(try await read(by: cast.member, for: cast.owner) == [1, 1])
      #expect(try await read(by: cast.admin, for: cast.owner) == [1, 0])
      #expect(try await read(by: cast.other, for: cast.owner) == [0, 0])
      let told = try await cast.other.told(after: start)
      #expect(told.map { $0.data["user_id"]?.text } == ["\(cast.member.id)", "\(cast.admin.id)"])
      _ = try await cast.admin.send(.patch, "/me", #"{"settings":{"read_receipts":false}}"#)
      _ = try await cast.admin.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":1}"#)
      #expect(try await read(by: cast.admin, for: cast.owner) == [1, 0])
      #expect(try await read(by: cast.member, for: cast.admin) == [1, 0])
      #expect(try await read(by: cast.admin, for: cast.admin) == [1, 1])
    }
  }
}
