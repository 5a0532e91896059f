import Chat
import Foundation
import TestSupport
import Testing
@testable import ChatTesting

@Suite("JSONWriter")
struct JSONWriterTests {
  private func read(_ json: JSONWriter) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
  }

  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("separates members and elements")
  func structure() {
    let written = text { json in
      json.object { json in
        json.member("a", 1)
        json.name("b")
        json.array { json in
          json.value(true)
          json.null()
          json.object { _ in }
          json.array { $0.value("x") }
          json.raw("[2]".utf8)
          json.value(nil as String?)
        }
        json.member("c", false)
        json.member("d", nil as String?)
        json.member("e", "f")
      }
    }
    #expect(written == #"{"a":1,"b":[true,null,{},["x"],[2],null],"c":false,"d":null,"e":"f"}"#)
  }

  @Test("escapes strings so that Foundation reads each of them back, on one line")
  func escapes() throws {
    var random = SeededRandom(seed: 4)
    var texts = (0..<0x100).compactMap { Unicode.Scalar(UInt32($0)).map { "x\($0)y" } }
    texts += ["", "\"\\/\n\r\t", "👩‍💻 e\u{301} \u{2028}\u{2029}", "</script>"]
    for _ in 0..<500 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        if let scalar = Unicode.Scalar(
          UInt32.random(in: 0...0x10FFFF, using: &random) >> UInt32.random(in: 0...16, using: &random))
        {
          scalars.append(scalar)
        }
      }
      texts.append(String(scalars))
    }
    for text in texts {
      var json = JSONWriter()
      json.object { $0.member("t", text) }
      let back = try read(json)["t"] as? String
      #expect(back.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
      #expect(!json.bytes.contains(0x0A) && !json.bytes.contains(0x0D))
    }
  }

  @Test("writes a room with its peer and last message as in docs/api.md")
  func room() throws {
    let time = Timestamp(milliseconds: 1_795_197_787_412)
    let peer = User(id: id(1), login: "octocat", githubID: 583_231, firstName: "Octo", lastSeenAt: time)
    let message = Message(
      roomID: id(9), seq: 3, clientID: id(8), sender: Face(peer), text: "hi", replyTo: 1, createdAt: time,
      editedAt: time)
    let room = Room(
      id: id(9), kind: .direct, name: "Octo", peer: peer, membersCount: 2, isMuted: true, lastSeq: 3, readSeq: 2,
      unreadCount: 1, lastMessage: message, draft: "d", createdAt: time, updatedAt: time)
    var json = JSONWriter()
    json.value(room)
    let object = try read(json)
    #expect(
      Set(object.keys) == [
        "id", "kind", "name", "topic", "peer", "members_count", "role", "muted", "pinned", "last_seq", "read_seq",
        "unread_count", "last_message", "draft", "created_at", "updated_at", "public", "avatar_url", "hidden",
        "mention_level", "mention_count", "cleared_seq", "repository", "cleared_change",
      ])
    #expect(object["kind"] as? String == "direct" && object["role"] as? String == "member")
    #expect(object["muted"] as? Bool == true && object["pinned"] as? Bool == false)
    #expect(object["unread_count"] as? Int == 1 && object["draft"] as? String == "d")
    let user = try #require(object["peer"] as? [String: Any])
    #expect(user["login"] as? String == "octocat" && user["github_id"] as? Int == 583_231)
    #expect(user["member"] as? Bool == true && user["online"] == nil && user["last_seen_at"] == nil)
    let last = try #require(object["last_message"] as? [String: Any])
    #expect(last["seq"] as? Int == 3 && last["reply_to"] as? Int == 1 && last["text"] as? String == "hi")
    #expect(last["edited_at"] as? String == "2026-11-20T18:03:07.412Z" && last["deleted_at"] is NSNull)
    let sender = try #require(last["sender"] as? [String: Any])
    #expect(Set(sender.keys) == ["id", "login", "handle", "name", "avatar_url", "member"])
    #expect(sender["id"] as? String == peer.id.description && sender["handle"] as? String == "octocat")
  }

  @Test("a message whose own members are already encoded is written like one that is encoded now")
  func encodedBefore() throws {
    let time = Timestamp(milliseconds: 1_795_197_787_412)
    var message = Message(
      roomID: id(9), seq: 3, clientID: id(8), sender: Face(User(id: id(1), firstName: "A")), text: "\"hi\"\n",
      replyTo: 1, createdAt: time, deletedAt: time,
      forwardedFrom: Face(User(id: id(2), firstName: "B", isMember: false)),
      mentions: [id(4), id(5)],
      marks: MessageMarks(reactions: [.init(emoji: "👍", count: 2, isMine: true)], pinnedAt: time))
    let fresh = text { $0.value(message) }
    var own = JSONWriter()
    own.ownMembers(of: message)
    message.encoded = EncodedMembers(own.bytes)
    #expect(text { $0.value(message) } == fresh)
    #expect(try JSONSerialization.jsonObject(with: Data(fresh.utf8)) is [String: Any])
  }

  @Test("omits what a person lacks, and writes null for what a room or message lacks")
  func absent() throws {
    let time = Timestamp(milliseconds: 0)
    let guest = User(id: id(1), firstName: "G", isMember: false)
    var json = JSONWriter()
    json.value(
      Room(id: id(9), kind: .group, name: "n", membersCount: 3, role: .owner, createdAt: time, updatedAt: time))
    let room = try read(json)
    #expect(room["peer"] is NSNull && room["last_message"] is NSNull && room["role"] as? String == "owner")
    json = JSONWriter()
    json.value(guest, Presence(clock: ManualClock()).seen(by: id(2)))
    let user = try read(json)
    #expect(user["login"] == nil && user["github_id"] == nil && user["last_seen_at"] == nil)
    #expect(user["member"] as? Bool == false && user["online"] as? Bool == false)
  }

  @Test("writes every event's name and payload")
  func events() {
    let time = Timestamp(milliseconds: 0)
    let user = User(id: id(1), firstName: "A")
    let message = Message(roomID: id(9), seq: 1, clientID: id(8), sender: Face(user), text: "t", createdAt: time)
    let room = Room(id: id(9), kind: .direct, name: "A", membersCount: 2, createdAt: time, updatedAt: time)
    let messageJSON = text { $0.value(message) }
    let roomJSON = text { $0.value(room) }
    let roomID = room.id.description
    let userID = user.id.description
    let expected: [(Event, String, String)] = [
      (.messageCreated(message), "message.created", messageJSON),
      (.messageUpdated(message), "message.updated", messageJSON),
      (.messageDeleted(message), "message.deleted", messageJSON), (.roomCreated(room), "room.created", roomJSON),
      (.roomUpdated(room), "room.updated", roomJSON), (.roomRemoved(room), "room.removed", roomJSON),
      (
        .roomRemoved(room, Removal(by: Face(user), isBan: true)), "room.removed",
        roomJSON.dropLast() + #","removed_by":\#(text { $0.value(Face(user)) }),"banned":true}"#
      ),
      (
        .receiptUpdated(Receipt(roomID: room.id, userID: user.id, deliveredSeq: 2, readSeq: 1)), "receipt.updated",
        #"{"room_id":"\#(roomID)","user_id":"\#(userID)","delivered_seq":2,"read_seq":1}"#
      ),
      (.userUpdated(user), "user.updated", text { $0.value(user) }),
      (.draftUpdated(roomID: room.id, draft: "d"), "draft.updated", #"{"room_id":"\#(roomID)","draft":"d"}"#),
      (
        .typing(roomID: room.id, userID: user.id, isTyping: true), "typing",
        #"{"room_id":"\#(roomID)","user_id":"\#(userID)","typing":true}"#
      ),
      (
        .presence(userID: user.id, isOnline: false, lastSeenAt: time), "presence",
        #"{"user_id":"\#(userID)","online":false,"last_seen_at":"1970-01-01T00:00:00.000Z"}"#
      ),
      (.sessionEnded, "session.ended", "{}"),
    ]
    for (event, name, data) in expected {
      #expect(event.name == name)
      #expect(text { $0.value(event) } == data)
    }
  }
}
