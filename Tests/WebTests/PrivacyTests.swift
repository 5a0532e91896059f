import Chat
import HTTP
import HTTPServer
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

  /// Events of a name since `id`.
  private func told(_ person: Person, _ name: String, after id: EventID) async throws -> [JSONValue] {
    let events = try await person.get("/sync?after=\(id)").json()["events"]?.array ?? []
    return events.filter { $0["event"]?.text == name }.compactMap { $0["data"] }
  }

  private func settings(_ person: Person, _ text: String) async throws {
    let answer = try await person.send(.patch, "/me", #"{"settings":{\#(text)}}"#)
    #expect(answer.status == .ok, "\(answer.text)")
  }

  @Test("S6 Settings are kept one by one, told to one's own devices, and checked by type")
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

  @Test("S6 Without last seen one is offline in every answer and event for others, and they are for oneself")
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
          try await viewer.get("/rooms/\(room)").json()["peer"],
          try await viewer.get("/rooms").json()[0]?["peer"],
          try await viewer.get("/rooms/\(room)/messages").json().array
            .first { $0["sender"]?["id"]?.text == "\(subject.id)" }?["sender"],
        ]
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
      // Live, and replayed from before: of whom and for whom it is hidden, nothing of it.
      for person in [ada, bob] { try await person.say("again", in: room) }
      for (viewer, subject) in [(ada, bob), (bob, ada)] {
        let senders = try await told(viewer, "message.created", after: 0).compactMap { $0["sender"] }
          .filter { $0["id"]?.text == "\(subject.id)" }
        #expect(senders.count == 2)
        #expect(senders.allSatisfy { $0["online"]?.flag == false && $0["last_seen_at"] == nil })
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
          guard event.name == "message.created", messages > 2 else { continue }
          let sender = data["sender"]
          let isOwn = (sender?["id"]?.text == "\(ada.id)") == (stream === streams[0])
          if !isOwn { #expect(sender?["online"]?.flag == false && sender?["last_seen_at"] == nil) }
        }
      }
      // Bob heard that Ada is offline now; Ada hears of nobody.
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
    "S6 Without read receipts others see what is delivered alone, and one sees theirs so; one's own devices see all")
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
      // That only reading has moved is not told to others at all.
      #expect(try await pairs(told(ada, "receipt.updated", after: before)) == [[2, 0], [3, 0]])
      #expect(try await pairs(told(bob, "receipt.updated", after: before)) == [[2, 1], [2, 2], [3, 3]])
      // What was told to all before he turned it off is not replayed as it was.
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
