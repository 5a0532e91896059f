import Chat
import Foundation
import TestSupport
import Testing

@testable import WebPush

@Suite("Push payloads")
struct PushPayloadTests {
  private static let ada = User(id: UserID(high: 1, low: 1), githubID: 7, firstName: "Ada", lastName: "Lovelace")
  private static let other = RoomID(high: 9, low: 9)

  private func payload(_ kind: Room.Kind, _ text: String) throws -> [String: Any] {
    let time = Timestamp(milliseconds: 1_790_000_000_000)
    let room = Room(
      id: RoomID(high: 1, low: 2), kind: kind, name: "Engine", peer: kind == .direct ? Self.ada : nil, membersCount: 2,
      createdAt: time, updatedAt: time)
    let message = Message(
      roomID: room.id, seq: 7, clientID: ClientMessageID(high: 1, low: 1), sender: Face(Self.ada), text: text,
      createdAt: time)
    let bytes = PushPayload.message(message, in: room, closing: [Self.other])
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test("A message is shown with its sender, its chat and its start; a group with its name", .shows("T1"))
  func message() throws {
    let direct = try payload(.direct, "Hello\n  there")
    #expect(direct["type"] as? String == "message")
    #expect(direct["sender"] as? String == "Ada Lovelace")
    #expect(direct["room"] is NSNull)
    #expect(direct["text"] as? String == "Hello there")
    #expect(direct["seq"] as? Int == 7)
    #expect(direct["closed"] as? [String] == [Self.other.description])
    #expect(direct["icon"] as? String == "/api/v1/avatars/github-7")
    #expect(try payload(.direct, "# Plan\n- [x] **one** and `two`")["text"] as? String == "Plan one and two")
    #expect(try payload(.group, "x")["icon"] is NSNull)
    #expect(try payload(.group, "x")["room"] as? String == "Engine")
  }

  @Test(
    "No text makes a push too long for a push service", .shows("T1"), arguments: ["a", "é", "👩‍👩‍👧‍👦", "\u{0}", "\"", " "])
  func longest(character: String) throws {
    let text = String(repeating: character, count: 10_000 / character.unicodeScalars.count)
    let time = Timestamp(milliseconds: 0)
    let room = Room(
      id: RoomID(high: 1, low: 2), kind: .group, name: String(repeating: "é", count: 80), membersCount: 3,
      createdAt: time, updatedAt: time)
    let sender = User(
      id: UserID(high: 1, low: 1), firstName: String(repeating: "👩🏽‍🚀", count: 10),
      lastName: String(repeating: "👩🏽‍🚀", count: 10))
    let message = Message(
      roomID: room.id, seq: 7, clientID: ClientMessageID(high: 1, low: 1), sender: Face(sender), text: text,
      createdAt: time)
    let closed = (0..<20).map { RoomID(high: 1, low: UInt64($0)) }
    #expect(PushPayload.message(message, in: room, closing: closed).count <= MessageEncryption.longestMessage)
    #expect(PushPayload.excerpt(of: text).count <= PushPayload.excerptLength + 1)
  }

  @Test("An excerpt is one line without control characters, whole or ending with an ellipsis", .shows("T1"))
  func excerpts() {
    #expect(PushPayload.excerpt(of: "  a\t\r\n b\u{7}c ") == "a b c ")
    #expect(PushPayload.excerpt(of: "") == "")
    let long = String(repeating: "word ", count: 100)
    #expect(PushPayload.excerpt(of: long).hasSuffix("…"))
    #expect(PushPayload.excerpt(of: String(repeating: "x", count: 160)).hasSuffix("x"))
    #expect(PushPayload.excerpt(of: String(repeating: "\n", count: 5000)) == "")
  }
}

@Suite("Notifications shown without an open page")
struct ShownNotificationsTests {
  private let ada = UserID(high: 1, low: 1)
  private let bob = UserID(high: 1, low: 2)
  private let one = RoomID(high: 2, low: 1)
  private let two = RoomID(high: 2, low: 2)

  private func browser(_ number: UInt64, of user: UserID) -> PushSubscription {
    PushSubscription(
      sessionID: SessionID(high: 3, low: number), userID: user, endpoint: "", publicKey: [], secret: [])
  }

  @Test("A chat read elsewhere is named once to each browser that shows it, and to no other", .shows("T1"))
  func closing() {
    var shown = ShownNotifications()
    let (phone, tablet, other) = (browser(1, of: ada), browser(2, of: ada), browser(3, of: bob))
    #expect(shown.isEmpty)
    for browser in [phone, tablet, other] { shown.show(one, 5, closing: [], to: browser) }
    shown.read(one, by: ada, to: 4)
    #expect(shown.closed(for: phone.sessionID, but: two) == [])
    shown.read(one, by: ada, to: 5)
    #expect(shown.closed(for: phone.sessionID, but: two) == [one])
    #expect(shown.closed(for: tablet.sessionID, but: two) == [one])
    #expect(shown.closed(for: other.sessionID, but: two) == [])
    #expect(shown.closed(for: phone.sessionID, but: one) == [])
    shown.show(two, 1, closing: [one], to: phone)
    #expect(shown.closed(for: phone.sessionID, but: two) == [])
    #expect(shown.closed(for: tablet.sessionID, but: two) == [one])
    shown.forget(tablet.sessionID)
    #expect(shown.closed(for: tablet.sessionID, but: two) == [])
    shown.forget(phone.sessionID)
    shown.forget(other.sessionID)
    #expect(shown.isEmpty)
  }
}
