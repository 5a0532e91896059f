import Chat
import HTTP
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Receipts of later members")
struct LateReceiptTests {
  @Test(
    "Messages from before somebody joined are not unread to them, nor reported to others as read by them",
    .shows("R4", "L2"))
  func late() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try #require(
        try await ada.send(.post, "/rooms", #"{"kind":"group","name":"Late","public":true}"#).json()["id"]?.text)
      for text in ["one", "two"] { _ = try await ada.say(text, in: room) }
      let joined = try await bob.send(.put, "/rooms/\(room)/membership").json()
      #expect(joined["unread_count"]?.integer == 0 && joined["read_seq"]?.integer == 2)

      #expect(try await receipt(of: bob, in: room, for: ada) == [0, 0])
      #expect(try await receipt(of: bob, in: room, for: bob) == [2, 2])
      // Neither by what they do below that.
      _ = try await bob.send(.put, "/rooms/\(room)/receipt", #"{"unread_from":2}"#)
      #expect(try await receipt(of: bob, in: room, for: ada) == [0, 0])
      #expect(try await told(of: bob, to: ada).isEmpty)
      #expect(try await told(of: bob, to: bob) == [[2, 1]])

      _ = try await ada.say("three", in: room)
      _ = try await bob.send(.put, "/rooms/\(room)/receipt", #"{"delivered_seq":3}"#)
      #expect(try await receipt(of: bob, in: room, for: ada) == [3, 0])
      _ = try await bob.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":3}"#)
      #expect(try await receipt(of: bob, in: room, for: ada) == [3, 3])
      #expect(try await told(of: bob, to: ada) == [[3, 0], [3, 3]])
    }
  }

  /// Delivered and read, as returned to `reader`.
  private func receipt(of person: Person, in room: String, for reader: Person) async throws -> [Int?] {
    let receipts = try await reader.get("/rooms/\(room)/receipts").json().array
    let receipt = receipts.first { $0["user_id"]?.text == person.id.description }
    return [receipt?["delivered_seq"]?.integer, receipt?["read_seq"]?.integer]
  }

  /// The same in each event that `reader` received.
  private func told(of person: Person, to reader: Person) async throws -> [[Int?]] {
    try await reader.get("/sync?after=0").json()["events"]?.array
      .filter { $0["event"]?.text == "receipt.updated" }
      .compactMap { $0["data"] }
      .filter { $0["user_id"]?.text == person.id.description }
      .map { [$0["delivered_seq"]?.integer, $0["read_seq"]?.integer] } ?? []
  }
}
