import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// A member's own view of a chat: it changes for nobody else, and all their devices are notified.
@Suite("A member's own view of a chat")
struct RoomViewTests {
  private func withRoom(
    _ body: (TestHub, _ ada: Person, _ bob: Person, _ room: String) async throws -> Void
  ) async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      try await body(hub, ada, bob, try await ada.room(with: bob))
    }
  }

  /// Names of the events that a person receives after `id`.
  private func told(_ person: Person, after id: EventID) async throws -> [String?] {
    try await person.get("/sync?after=\(id)").json()["events"]?.array.map { $0["event"]?.text } ?? []
  }

  private func texts(_ person: Person, _ room: String, _ query: String = "") async throws -> [String?] {
    try await person.get("/rooms/\(room)/messages" + query).json().array.map { $0["text"]?.text }
  }

  @Test(
    "Muting, pinning and the mention level are personal, and other devices are notified at once", .shows("L3", "R3"))
  func changes() async throws {
    try await withRoom { hub, ada, bob, room in
      let start = try await hub.store.lastEventID()
      let changed = try await ada.send(
        .patch, "/rooms/\(room)", #"{"muted":true,"pinned":true,"mention_level":"mentions"}"#
      ).json()
      #expect(changed["muted"]?.flag == true && changed["pinned"]?.flag == true)
      #expect(changed["mention_level"]?.text == "mentions")
      let sync = try await ada.get("/sync?after=\(start)").json()
      #expect(sync["events"]?[0]?["data"] == changed && sync["events"]?.array.count == 1)
      #expect(try await told(bob, after: start) == [])
      let his = try await bob.get("/rooms/\(room)").json()
      #expect(his["muted"]?.flag == false && his["pinned"]?.flag == false && his["mention_level"]?.text == "all")
      #expect(try await ada.send(.patch, "/rooms/\(room)", #"{"muted":true}"#).status == .ok)
      #expect(try await told(ada, after: start).count == 1, "nothing changed, so nothing is told")
    }
  }

  @Test(
    "The list starts with pinned chats, then the newest, and pages through both without repeats", .shows("L1", "L3"))
  func order() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      var rooms: [String] = []
      for number in 0..<6 {
        let peer = try await hub.signUp("P\(number)")
        rooms.append(try await ada.room(with: peer))
      }
      // All within one millisecond, so times decide nothing.
      try await ada.say("newest", in: rooms[2])
      _ = try await ada.send(.patch, "/rooms/\(rooms[1])", #"{"pinned":true}"#)
      _ = try await ada.send(.patch, "/rooms/\(rooms[4])", #"{"pinned":true}"#)
      let expected = [4, 1, 2, 5, 3, 0].map { rooms[$0] }
      for limit in 1...7 {
        var (seen, path) = ([String?](), String?.some("/api/v1/rooms?limit=\(limit)"))
        while let next = path {
          let page = try await ada.get(String(next.dropFirst("/api/v1".count)))
          seen += try page.json().array.map { $0["id"]?.text }
          path = page.link("next")
        }
        #expect(seen == expected, "by \(limit)")
      }
    }
  }

  @Test("Clearing empties the chat for one person, on all their devices; the peer keeps everything", .shows("L4"))
  func clearing() async throws {
    try await withRoom { hub, ada, bob, room in
      for number in 1...3 { try await bob.say("m\(number)", in: room) }
      let start = try await hub.store.lastEventID()
      #expect(try await ada.send(.post, "/rooms/\(room)/clearing").status == .noContent)
      #expect(try await told(ada, after: start) == ["room.updated"])
      #expect(try await told(bob, after: start) == [])
      let mine = try await ada.get("/rooms/\(room)").json()
      #expect(mine["cleared_seq"]?.integer == 3 && mine["unread_count"]?.integer == 0)
      #expect(mine["last_message"] == .null && mine["last_seq"]?.integer == 3)
      #expect(try await texts(ada, room) == [])
      for query in ["?before=3", "?around=2", "?after=0", "?on=2020-01-01T00:00:00Z"] {
        #expect(try await texts(ada, room, query) == [], "\(query)")
      }
      try await ada.get("/rooms/\(room)/messages/2").expectProblem(.notFound, "not-found")
      #expect(try await texts(bob, room) == ["m1", "m2", "m3"])
      #expect(try await ada.send(.post, "/rooms/\(room)/clearing").status == .noContent)
      #expect(try await told(ada, after: start).count == 1)
      try await bob.say("m4", in: room)
      #expect(try await texts(ada, room) == ["m4"])
      #expect(try await ada.get("/rooms/\(room)").json()["unread_count"]?.integer == 1)
    }
  }

  @Test("A deleted chat leaves the list until somebody writes; what was cleared stays cleared", .shows("L4"))
  func hiding() async throws {
    try await withRoom { hub, ada, bob, room in
      try await bob.say("old", in: room)
      _ = try await ada.send(.patch, "/rooms/\(room)", #"{"pinned":true,"draft":"unsent"}"#)
      let start = try await hub.store.lastEventID()
      #expect(try await ada.send(.post, "/rooms/\(room)/hiding", "{}").status == .noContent)
      #expect(try await told(ada, after: start) == ["room.removed"])
      #expect(try await ada.get("/rooms").json() == .array([]))
      #expect(try await bob.get("/rooms").json().array.count == 1)
      // Selecting the person again opens the chat, although nobody has written.
      let opened = try await ada.send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(bob.id)"}"#)
      #expect(try opened.status == .ok && opened.json()["hidden"]?.flag == true)
      #expect(try await ada.get("/rooms").json() == .array([]))
      try await bob.say("new", in: room)
      #expect(try await told(ada, after: start) == ["room.removed", "room.created", "message.created"])
      let list = try await ada.get("/rooms").json()
      #expect(list[0]?["hidden"]?.flag == false && list[0]?["unread_count"]?.integer == 1)
      #expect(list[0]?["pinned"]?.flag == false && list[0]?["draft"]?.text == "")
      #expect(try await texts(ada, room) == ["new"])
      #expect(try await texts(bob, room) == ["old", "new"])
      _ = try await ada.send(.post, "/rooms/\(room)/hiding")
      try await ada.say("mine", in: room)
      #expect(try await ada.get("/rooms").json().array.count == 1, "my own message brings it back as well")
    }
  }

  @Test(
    "A message hidden for one person is gone for them from pages, counts, preview, quotes, forwarding", .shows("C7"))
  func hiddenMessage() async throws {
    try await withRoom { hub, ada, bob, room in
      for number in 1...5 { try await bob.say("m\(number)", in: room) }
      let start = try await hub.store.lastEventID()
      for seq in [2, 5] {
        #expect(try await ada.send(.delete, "/rooms/\(room)/messages/\(seq)?for=me").status == .noContent)
      }
      #expect(try await told(ada, after: start) == ["message.hidden", "message.hidden"])
      #expect(try await told(bob, after: start) == [])
      #expect(try await texts(ada, room) == ["m1", "m3", "m4"])
      #expect(try await texts(ada, room, "?limit=2") == ["m3", "m4"])
      #expect(try await texts(ada, room, "?around=2&limit=2") == ["m1", "m3"])
      #expect(try await ada.get("/rooms/\(room)/messages?limit=2&after=1").link("next") == nil)
      #expect(try await ada.get("/rooms/\(room)/messages?limit=2").link("prev") != nil)
      let mine = try await ada.get("/rooms/\(room)").json()
      #expect(mine["unread_count"]?.integer == 3 && mine["last_message"]?["text"]?.text == "m4")
      try await ada.get("/rooms/\(room)/messages/2").expectProblem(.notFound, "not-found")
      try await ada.send(.delete, "/rooms/\(room)/messages/2?for=me").expectProblem(.notFound, "not-found")
      let reply = try await ada.send(.post, "/rooms/\(room)/messages", #"{"text":"re","reply_to":2}"#)
      #expect(try reply.expectProblem(.unprocessableContent, "invalid") == ["reply_to": "invalid"])
      #expect(try await texts(bob, room).count == 5)
    }
  }

  @Test(
    "A forwarded message has the current text and the original author, and is stored once",
    .shows("S2", "C7"))
  func forwarding() async throws {
    try await TestHub.with { hub in
      let (ada, bob, cleo) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"), try await hub.signUp("Cleo"))
      let (source, target) = (try await ada.room(with: bob), try await ada.room(with: cleo))
      try await bob.say("original", in: source)
      let id = ClientMessageID(at: hub.clock.now)
      let body = #"{"client_id":"\#(id)","forward":{"room_id":"\#(source)","seq":1}}"#
      let sent = try await ada.send(.post, "/rooms/\(target)/messages", body)
      #expect(sent.status == .created)
      let message = try sent.json()
      #expect(message["text"]?.text == "original" && message["sender"]?["id"]?.text == ada.id.description)
      #expect(message["forwarded_from"]?["id"]?.text == bob.id.description)
      _ = try await bob.send(.patch, "/rooms/\(source)/messages/1", #"{"text":"changed"}"#)
      let again = try await ada.send(.post, "/rooms/\(target)/messages", body)
      #expect(try again.status == .ok && again.json() == message, "the original, although its source has changed")
      try await ada.send(.patch, "/rooms/\(target)/messages/1", #"{"text":"forged"}"#)
        .expectProblem(.forbidden, "forbidden")
      // Forwarded again, it keeps its first author; a person who cannot see the source cannot forward it.
      let back = try await cleo.room(with: bob)
      let onwards = try await cleo.send(
        .post, "/rooms/\(back)/messages", #"{"forward":{"room_id":"\#(target)","seq":1}}"#)
      #expect(try onwards.json()["forwarded_from"]?["id"]?.text == bob.id.description)
      for wrong in [
        #"{"forward":{"room_id":"\#(source)","seq":1}}"#, #"{"forward":{"room_id":"\#(target)","seq":9}}"#,
        #"{"forward":{"room_id":"x","seq":1}}"#, #"{"forward":{}}"#,
      ] {
        let refused = try await cleo.send(.post, "/rooms/\(back)/messages", wrong)
        #expect(try refused.expectProblem(.unprocessableContent, "invalid") == ["forward": "invalid"], "\(wrong)")
      }
      let both = try await cleo.send(
        .post, "/rooms/\(back)/messages", #"{"text":"x","forward":{"room_id":"\#(target)","seq":1}}"#)
      #expect(try both.expectProblem(.unprocessableContent, "invalid") == ["text": "invalid"])
    }
  }
}
