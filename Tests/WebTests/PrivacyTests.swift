import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("What people do not show")
struct PrivacyTests {
  private func withTwo(_ body: (TestHub, Person, Person, String) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      try await body(hub, ada, bob, try await ada.room(with: bob))
    }
  }

  /// Events with this name since `id`.
  private func told(_ person: Person, _ name: String, after id: EventID) async throws -> [JSONValue] {
    let events = try await person.get("/sync?after=\(id)").json()["events"]?.array ?? []
    return events.filter { $0["event"]?.text == name }.compactMap { $0["data"] }
  }

  private func settings(_ person: Person, _ text: String) async throws {
    let answer = try await person.send(.patch, "/me", #"{"settings":{\#(text)}}"#)
    #expect(answer.status == .ok, "\(answer.text)")
  }

  @Test("Settings are stored individually, announced to one's own devices, and type-checked", .shows("S6"))
  func kept() async throws {
    try await withTwo { hub, ada, bob, _ in
      let before = try await hub.store.lastEventID()
      let off = try await ada.send(.patch, "/me", #"{"settings":{"last_seen":false,"later":1}}"#).json()
      #expect(off["settings"]?["read_receipts"] == .flag(true) && off["settings"]?["last_seen"] == .flag(false))
      #expect(try await ada.get("/session").json()["settings"] == off["settings"])
      #expect(try await told(ada, "me.updated", after: before).map { $0["settings"] } == [off["settings"]])
      #expect(try await told(bob, "me.updated", after: before).isEmpty)
      try await settings(ada, #""last_seen":false"#)
      #expect(try await told(ada, "me.updated", after: before).count == 1)
      let wrong = try await ada.send(.patch, "/me", #"{"settings":{"last_seen":"no","read_receipts":0}}"#)
      #expect(
        try wrong.expectProblem(.unprocessableContent, "invalid")
          == ["settings.last_seen": "wrong_type", "settings.read_receipts": "wrong_type"])
      #expect(try await bob.get("/users/\(ada.id)").json()["settings"] == nil)
    }
  }

  @Test("Who is added to groups by nobody, or by people they know, is invited by others instead", .shows("R1"))
  func addedBy() async throws {
    try await withTwo { hub, ada, bob, room in
      let eve = try await hub.signUp("Eve")
      let group = try #require(
        try await ada.send(.post, "/rooms", #"{"kind":"group","name":"G"}"#).json()["id"]?.text)
      func put(_ person: Person) async throws -> TestResponse {
        try await ada.send(.put, "/rooms/\(group)/members/\(person.id)", "{}")
      }
      func isRefused(_ answer: TestResponse) throws {
        #expect(try answer.expectProblem(.forbidden, "forbidden") == ["user": "invite"])
      }
      #expect(try await bob.get("/session").json()["settings"]?["added_by"]?.text == "everybody")
      for wrong in [#""friends""#, "1"] {
        let answer = try await bob.send(.patch, "/me", #"{"settings":{"added_by":\#(wrong)}}"#)
        let code = wrong == "1" ? "wrong_type" : "invalid"
        #expect(try answer.expectProblem(.unprocessableContent, "invalid") == ["settings.added_by": code])
      }
      let start = try await hub.store.lastEventID()
      try await settings(bob, #""added_by":"nobody""#)
      #expect(try await told(bob, "me.updated", after: start).last?["settings"]?["added_by"]?.text == "nobody")
      try isRefused(await put(bob))
      let members = [bob.id, eve.id].map { "\"\($0)\"" }.joined(separator: ",")
      let made = try await ada.send(.post, "/rooms", #"{"kind":"group","name":"H","member_ids":[\#(members)]}"#)
      #expect(made.status == .created)
      #expect(try made.json()["members_count"]?.integer == 2)
      #expect(try made.json()["not_added"] == .array([.text("\(bob.id)")]))
      #expect(try await bob.get("/rooms").json().array.map { $0["kind"]?.text } == ["direct"])

      // A chat that only the other writes in makes nobody known.
      try await settings(bob, #""added_by":"known""#)
      try await ada.say("hello?", in: room)
      try isRefused(await put(bob))
      try await bob.say("hello", in: room)
      #expect(try await put(bob).status == .created)
      // Whoever is in a group with them that is not public is known as well; whoever has joined a public one is not.
      try await settings(eve, #""added_by":"known""#)
      let public_ = try #require(
        try await eve.send(.post, "/rooms", #"{"kind":"group","name":"P","public":true}"#).json()["id"]?.text)
      let second = try #require(try made.json()["id"]?.text)
      #expect(try await ada.send(.delete, "/rooms/\(second)/membership").status == .noContent)
      #expect(try await ada.send(.put, "/rooms/\(public_)/membership", "{}").status == .ok)
      try isRefused(await put(eve))
      // Coming of one's own accord is no adding, nor is another role.
      try await settings(bob, #""added_by":"nobody""#)
      #expect(try await ada.send(.put, "/rooms/\(group)/members/\(bob.id)", #"{"role":"admin"}"#).status == .ok)
      let invited = try await ada.send(.post, "/rooms/\(group)/invitations", "{}").json()
      let token = try #require(invited["url"]?.text?.split(separator: "/").last)
      try await settings(eve, #""added_by":"nobody""#)
      #expect(try await eve.send(.post, "/invitations/\(token)", "{}").status == .ok)
    }
  }

  @Test("With last seen off one is offline to others, and they to oneself, in all responses and events", .shows("S6"))
  func lastSeen() async throws {
    try await withTwo { hub, ada, bob, room in
      let socket = try hub.socket()
      for person in [ada, bob] { try await hub.store.recordLastSeen(person.id, at: hub.clock.now) }
      let streams = [try await ada.events(socket), try await bob.events(socket)]
      for stream in streams { while try await stream.next()?.name != "hello" {} }
      func seen(_ viewer: Person, _ subject: Person) async throws -> [JSONValue?] {
        let people = try await viewer.get("/users").json().array.first { $0["id"]?.text == "\(subject.id)" }
        let members = try await viewer.get("/rooms/\(room)/members").json().array
          .first { $0["id"]?.text == "\(subject.id)" }
        return [
          try await viewer.get("/users/\(subject.id)").json(), people, members,
          try await viewer.get("/presence?users=\(subject.id)").json()[0],
        ]
      }
      func withoutPresence(_ viewer: Person) async throws -> [JSONValue?] {
        let chat = try await viewer.get("/rooms/\(room)").json()
        let messages = try await viewer.get("/rooms/\(room)/messages").json().array
        return [chat["peer"], chat["last_message"]?["sender"], try await viewer.get("/rooms").json()[0]?["peer"]]
          + messages.map { $0["sender"] }
      }
      for person in [ada, bob] { try await person.say("hello", in: room) }
      for user in try await seen(bob, ada) + seen(ada, bob) {
        #expect(user?["online"]?.flag == true && user?["last_seen_at"]?.text != nil)
      }
      let last = try await hub.store.lastEventID()
      try await settings(ada, #""last_seen":false"#)
      for user in try await seen(bob, ada) + seen(ada, bob) {
        #expect(user?["online"]?.flag == false && user?["last_seen_at"] == nil)
      }
      #expect(try await ada.get("/session").json()["online"]?.flag == true)
      for person in try await withoutPresence(bob) + withoutPresence(ada) {
        #expect(person?["id"] != nil && person?["online"] == nil && person?["last_seen_at"] == nil)
      }
      // Live, and replayed from before: nothing about or for people who hide it.
      for person in [ada, bob] { try await person.say("again", in: room) }
      for (viewer, subject) in [(ada, bob), (bob, ada)] {
        let senders = try await told(viewer, "message.created", after: 0).compactMap { $0["sender"] }
          .filter { $0["id"]?.text == "\(subject.id)" }
        #expect(senders.count == 2)
        #expect(senders.allSatisfy { $0["online"] == nil && $0["last_seen_at"] == nil })
      }
      #expect(try await told(bob, "message.created", after: last).count == 2)
      var names: [String] = []
      for stream in streams {
        var messages = 0
        while messages < 4, let event = try await stream.next() {
          if event.name == "message.created" { messages += 1 }
          let data = try JSONValue.parse(event.data)
          let isBobs = data["user_id"]?.text == "\(bob.id)"
          if event.name == "presence", messages >= 2 {
            names.append("\(isBobs ? "bob" : "ada") \(data["online"] == .flag(true))")
          }
          if event.name != "presence" { #expect(!event.data.contains("online")) }
        }
      }
      // Bob is notified that Ada is offline now; Ada receives nothing.
      #expect(names == ["ada false"])
      try await settings(ada, #""last_seen":true"#)
      for user in try await seen(bob, ada) + seen(ada, bob) { #expect(user?["online"]?.flag == true) }
    }
  }

  private func pointers(_ viewer: Person, _ subject: Person, _ room: String) async throws -> [Int?] {
    let receipt = try await viewer.get("/rooms/\(room)/receipts").json().array
      .first { $0["user_id"]?.text == "\(subject.id)" }
    return [receipt?["delivered_seq"]?.integer, receipt?["read_seq"]?.integer]
  }

  private func move(_ person: Person, _ room: String, _ body: String) async throws {
    #expect(try await person.send(.put, "/rooms/\(room)/receipt", body).status == .ok)
  }

  @Test(
    "With read receipts off, others see only delivery, and one sees theirs so; own devices see all",
    .shows("S6"))
  func receipts() async throws {
    try await withTwo { hub, ada, bob, room in
      for number in 1...3 { try await ada.say("a\(number)", in: room) }
      try await move(bob, room, #"{"read_seq":1}"#)
      #expect(try await pointers(ada, bob, room) == [1, 1])
      try await settings(bob, #""read_receipts":false"#)
      #expect(try await pointers(ada, bob, room) == [1, 0])
      #expect(try await pointers(bob, ada, room) == [3, 0])
      #expect(try await pointers(bob, bob, room) == [1, 1])
      #expect(try await pointers(ada, ada, room) == [3, 3])
      let before = try await hub.store.lastEventID()
      try await move(bob, room, #"{"delivered_seq":2}"#)
      try await move(bob, room, #"{"read_seq":2}"#)
      try await move(bob, room, #"{"read_seq":3}"#)
      func pairs(_ receipts: [JSONValue]) -> [[Int?]] {
        receipts.map { [$0["delivered_seq"]?.integer, $0["read_seq"]?.integer] }
      }
      // If only reading has moved, others are not notified at all.
      #expect(try await pairs(told(ada, "receipt.updated", after: before)) == [[2, 0], [3, 0]])
      #expect(try await pairs(told(bob, "receipt.updated", after: before)) == [[2, 1], [2, 2], [3, 3]])
      // Receipts that everyone got before Bob turned it off are not replayed as they were.
      #expect(try await pairs(told(ada, "receipt.updated", after: 0)).allSatisfy { $0[1] == 0 })
      try await bob.say("b4", in: room)
      try await move(ada, room, #"{"read_seq":4}"#)
      #expect(
        try await told(bob, "receipt.updated", after: before).filter { $0["user_id"]?.text == "\(ada.id)" }
          .map { $0["read_seq"]?.integer } == [0])
      #expect(try await pointers(ada, bob, room) == [4, 0])
      #expect(try await pointers(bob, ada, room) == [4, 0])
      try await settings(bob, #""read_receipts":true"#)
      #expect(try await pointers(ada, bob, room) == [4, 4])
      #expect(try await pointers(bob, ada, room) == [4, 4])
      let shared = try await hub.store.lastEventID()
      try await ada.say("a5", in: room)
      try await move(bob, room, #"{"read_seq":5}"#)
      #expect(try await hub.store.lastEventID() == shared + 2, "where nobody hides, all share one event")
    }
  }
}
