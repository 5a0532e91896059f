import Base
import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Reactions, pins and mentions")
struct MarkTests {
  private let thumb = "%F0%9F%91%8D"

  private func withMessage(
    _ body: (TestHub, _ ada: Person, _ bob: Person, _ room: String) async throws -> Void
  ) async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada", "Lovelace"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await ada.say("one", in: room)
      try await body(hub, ada, bob, room)
    }
  }

  private func events(_ person: Person, after id: EventID) async throws -> [JSONValue] {
    try await person.get("/sync?after=\(id)").json()["events"]?.array ?? []
  }

  @Test("A reaction counts once per member, is marked as one's own or not, and arrives live", .shows("R3"))
  func reactions() async throws {
    try await withMessage { hub, ada, bob, room in
      let start = try await hub.store.lastEventID()
      let path = "/rooms/\(room)/messages/1"
      for person in [ada, bob, bob] {
        #expect(try await person.send(.put, "\(path)/reactions/\(thumb)").status == .noContent)
      }
      _ = try await bob.send(.put, "\(path)/reactions/%E2%9C%A8")
      let told = try await events(ada, after: start)
      #expect(told.map { $0["event"]?.text } == ["reaction.added", "reaction.added", "reaction.added"])
      #expect(told.map { $0["data"]?["count"]?.integer } == [1, 2, 1])
      #expect(told[1]["data"]?["user_id"]?.text == bob.id.description && told[1]["data"]?["emoji"]?.text == "👍")
      let mine = try await ada.get(path).json()["reactions"]
      #expect(mine?.array.map { $0["emoji"]?.text } == ["👍", "✨"])
      #expect(
        mine?.array.map { $0["count"]?.integer } == [2, 1] && mine?.array.map { $0["mine"]?.flag } == [true, false])
      let page = try await bob.get("/rooms/\(room)/messages").json()[0]?["reactions"]
      #expect(page?.array.map { $0["mine"]?.flag } == [true, true])
      let who = try await ada.get("\(path)/reactions").json()
      #expect(who[0]?["users"]?.array.map { $0["name"]?.text } == ["Ada Lovelace", "Bob"])
      #expect(try await ada.send(.delete, "\(path)/reactions/\(thumb)").status == .noContent)
      #expect(try await ada.send(.delete, "\(path)/reactions/\(thumb)").status == .noContent)
      let removed = try await events(bob, after: start).dropFirst(3)
      #expect(removed.map { $0["event"]?.text } == ["reaction.removed"])
      #expect(removed.first?["data"]?["count"]?.integer == 1)
    }
  }

  @Test("Anything but an emoji, a deleted message and a twenty-first emoji are refused with the reason", .shows("R3"))
  func refusedReactions() async throws {
    try await withMessage { hub, ada, bob, room in
      let path = "/rooms/\(room)/messages/1/reactions/"
      for wrong in ["a", "%3A%2B1%3A", thumb + thumb] {
        let refused = try await ada.send(.put, path + wrong)
        #expect(try refused.expectProblem(.unprocessableContent, "invalid") == ["emoji": "invalid"])
      }
      for scalar in 0x1F600..<0x1F614 as Range<UInt32> {
        let emoji = PercentEncoding.encode(String(Unicode.Scalar(scalar) ?? "x"))
        #expect(try await ada.send(.put, path + emoji).status == .noContent)
      }
      try await bob.send(.put, path + thumb).expectProblem(.conflict, "conflict")
      #expect(try await bob.send(.put, path + "%F0%9F%98%80").status == .noContent, "one that is there counts on")
      _ = try await ada.send(.delete, "/rooms/\(room)/messages/1")
      try await bob.send(.put, path + "%F0%9F%98%81").expectProblem(.conflict, "conflict")
      #expect(try await bob.get("/rooms/\(room)/messages/1").json()["reactions"] == nil)
    }
  }

  @Test("Pinned messages are listed last pinned first, announced live, and removed with the message", .shows("R3"))
  func pins() async throws {
    try await withMessage { hub, ada, bob, room in
      try await bob.say("two", in: room)
      let start = try await hub.store.lastEventID()
      for (person, seq) in [(bob, 1), (ada, 2), (ada, 2)] {
        #expect(try await person.send(.put, "/rooms/\(room)/pins/\(seq)").status == .noContent)
      }
      let told = try await events(bob, after: start)
      #expect(told.map { $0["event"]?.text } == ["pin.added", "pin.added"])
      #expect(told[0]["data"]?["seq"]?.integer == 1 && told[0]["data"]?["pinned_at"]?.text != nil)
      let pins = try await ada.get("/rooms/\(room)/pins").json()
      #expect(pins.array.map { $0["text"]?.text } == ["two", "one"])
      #expect(pins[0]?["pinned_at"]?.text == hub.clock.now.description)
      #expect(try await bob.get("/rooms/\(room)/messages/2").json()["pinned_at"] == pins[0]?["pinned_at"])
      _ = try await bob.send(.delete, "/rooms/\(room)/messages/2?for=me")
      #expect(try await bob.get("/rooms/\(room)/pins").json().array.map { $0["text"]?.text } == ["one"])
      _ = try await ada.send(.delete, "/rooms/\(room)/messages/1")
      #expect(try await ada.get("/rooms/\(room)/pins").json().array.map { $0["text"]?.text } == ["two"])
      #expect(try await ada.send(.delete, "/rooms/\(room)/pins/2").status == .noContent)
      #expect(try await ada.get("/rooms/\(room)/pins").json() == .array([]))
      try await ada.send(.put, "/rooms/\(room)/pins/1").expectProblem(.conflict, "conflict")
    }
  }

  @Test("A chat holds fifty pins, and refuses more with a reason", .shows("R3"))
  func mostPins() async throws {
    try await withMessage { _, ada, _, room in
      for seq in 2...51 { try await ada.say("m\(seq)", in: room) }
      for seq in 1...50 { #expect(try await ada.send(.put, "/rooms/\(room)/pins/\(seq)").status == .noContent) }
      try await ada.send(.put, "/rooms/\(room)/pins/51").expectProblem(.conflict, "conflict")
    }
  }

  @Test("Mentions are part of a message and counted until read; edits and deletions update the count", .shows("R3"))
  func mentions() async throws {
    try await withMessage { hub, ada, bob, room in
      func count() async throws -> Int? { try await ada.get("/rooms/\(room)").json()["mention_count"]?.integer }
      let sent = try await bob.send(.post, "/rooms/\(room)/messages", #"{"text":"Hi @adalovelace and @nobody, @bob"}"#)
      #expect(try sent.json()["mentions"]?.array.map(\.text) == [ada.id.description])
      #expect(try await count() == 1)
      try await bob.say("@AdaLovelace again", in: room)
      #expect(try await count() == 2)
      _ = try await bob.send(.patch, "/rooms/\(room)/messages/2", #"{"text":"nobody"}"#)
      #expect(try await count() == 1)
      #expect(try await ada.get("/rooms/\(room)/messages/2").json()["mentions"] == .array([]))
      _ = try await bob.send(.delete, "/rooms/\(room)/messages/3")
      #expect(try await count() == 0)
      try await bob.say("@AdaLovelace !", in: room)
      #expect(try await count() == 1)
      _ = try await ada.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":4}"#)
      #expect(try await count() == 0)
      _ = try await ada.send(.put, "/rooms/\(room)/receipt", #"{"unread_from":4}"#)
      #expect(try await count() == 1)
      _ = try await ada.send(.delete, "/rooms/\(room)/messages/4?for=me")
      #expect(try await count() == 0)
    }
  }
}
