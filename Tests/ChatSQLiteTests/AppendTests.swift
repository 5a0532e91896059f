import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Appending messages")
struct AppendTests {
  @Test("numbers messages 1, 2, 3, moves the room up, and logs the message; it reads nothing of others", .shows("S4"))
  func append() async throws {
    let chat = try await Chatroom()
    try await chat.send(2)
    let third = try await chat.store.append(chat.message(5, "Third", by: chat.bob, replyTo: 1, seconds: 7))
    #expect(third.isNew && third.message.seq == 3 && third.message.replyTo == 1)
    #expect(third.message.sender.name == "Bob")
    let room = try await chat.room(of: chat.bob)
    #expect(room.lastSeq == 3 && room.readSeq == 0 && room.unreadCount == 2, "others' messages lie between")
    #expect(room.lastMessage == third.message.forEverybody && room.updatedAt == Chatroom.start.adding(seconds: 7))
    #expect(try await chat.room(of: chat.ada).unreadCount == 1)
    let told = try await chat.told(chat.ada)
    #expect(told.map(\.name) == ["room.created", "message.created", "message.created", "message.created"])
    #expect(try #require(told.last).data.contains(#""seq":3"#))
    _ = try await chat.store.moveReceipt(in: chat.room, of: chat.bob, delivered: nil, read: 2)
    _ = try await chat.store.append(chat.message(6, "Fourth", by: chat.bob, seconds: 8))
    let after = try await chat.room(of: chat.bob)
    #expect(after.readSeq == 4 && after.unreadCount == 0, "only the sender's own lie between")
    let receipt = try #require(try await chat.told(chat.ada).last)
    #expect(receipt.data.contains(#""delivered_seq":4,"read_seq":4"#))
    _ = try await chat.store.append(chat.message(7, "Fifth", by: chat.bob, seconds: 9))
    #expect(try await chat.told(chat.ada).last?.name == "message.created", "it stands right behind the pointer")
  }

  @Test("a retry returns the original and changes nothing, even after an edit", .shows("S2"))
  func repeats() async throws {
    let chat = try await Chatroom()
    let first = try await chat.store.append(chat.message(1, "Hello"))
    let again = try await chat.store.append(chat.message(1, "Hello", seconds: 60))
    #expect(first.isNew && !again.isNew && again.message == first.message)
    let edited = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: "Hello!", at: Chatroom.start)
    let before = try await chat.store.lastEventID()
    let late = try await chat.store.append(chat.message(1, "Hello"))
    #expect(!late.isNew && late.message == edited)
    await expectConflict { _ = try await chat.store.append(chat.message(1, "Hello!")) }
    #expect(try await chat.store.lastEventID() == before)
    #expect(try await chat.room(of: chat.ada).lastSeq == 1)
    #expect(try await chat.room(of: chat.ada).updatedAt == Chatroom.start)
  }

  @Test("a retry of a message that was edited twice returns the original")
  func twiceEdited() async throws {
    let chat = try await Chatroom()
    _ = try await chat.store.append(chat.message(1, "one"))
    for text in ["two", "three"] {
      _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: text, at: Chatroom.start)
    }
    #expect(try await chat.store.append(chat.message(1, "one")).message.text == "three")
    await expectConflict { _ = try await chat.store.append(chat.message(1, "two")) }
  }

  @Test("a retry of a deleted message returns the tombstone")
  func repeatOfDeleted() async throws {
    let chat = try await Chatroom()
    _ = try await chat.store.append(chat.message(1, "Hello"))
    try await chat.store.delete(1, in: chat.room, by: chat.ada, at: Chatroom.start)
    let again = try await chat.store.append(chat.message(1, "Hello"))
    #expect(!again.isNew && again.message.text.isEmpty && again.message.deletedAt == Chatroom.start)
  }

  @Test("reusing a client id with another text, reply or room is a conflict; another sender's id is not")
  func conflicts() async throws {
    let chat = try await Chatroom()
    let other: RoomID = id(10)
    _ = try await chat.store.openDirectRoom(of: chat.ada, with: chat.eve, newID: other, at: Chatroom.start)
    try await chat.send(1)
    _ = try await chat.store.append(chat.message(1, "Hello"))
    await expectConflict { _ = try await chat.store.append(chat.message(1, "Another")) }
    await expectConflict { _ = try await chat.store.append(chat.message(1, "Hello", replyTo: 1)) }
    await expectConflict {
      var message = chat.message(1, "Hello")
      message.roomID = other
      _ = try await chat.store.append(message)
    }
    #expect(try await chat.store.append(chat.message(1, "Hello", by: chat.bob)).isNew)
  }

  @Test("a reply to a message that does not exist is invalid and takes no number")
  func reply() async throws {
    let chat = try await Chatroom()
    for replyTo in [0, 1, -3, Int.max] {
      do {
        _ = try await chat.store.append(chat.message(1, replyTo: replyTo))
        Issue.record("accepted \(replyTo)")
      } catch ChatError.invalid(let fields) {
        #expect(fields.map(\.field) == ["reply_to"])
      }
    }
    #expect(try await chat.store.append(chat.message(1)).message.seq == 1)
  }

  @Test("64 concurrent senders in one room get 1…n without gaps, in the order of events")
  func concurrentSenders() async throws {
    let chat = try await Chatroom()
    let heard = Box<[LoggedEvent]>([])
    chat.store.observeCommits { events in heard.update { $0 += events } }
    let sent = try await withThrowingTaskGroup(of: [Message].self) { group in
      for sender in 0..<64 {
        group.addTask {
          var sent: [Message] = []
          for index in 0..<5 {
            let number = UInt64(1000 + sender * 100 + index)
            let by = sender % 2 == 0 ? chat.ada : chat.bob
            sent.append(try await chat.store.append(chat.message(number, "\(sender) \(index)", by: by)).message)
          }
          return sent
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(sent.map(\.seq).sorted() == Array(1...320))
    let pages = [try await chat.page(.after(seq: 0, limit: 200)), try await chat.page(.after(seq: 200, limit: 200))]
    #expect(pages.flatMap(\.messages).map(\.text) == sent.sorted { $0.seq < $1.seq }.map(\.text))
    chat.store.close()
    let ids = heard.value.map(\.id)
    #expect(ids == (0..<EventID(ids.count)).map { $0 + 3 })
    let created = heard.value.filter { $0.name == "message.created" }
    #expect(created.count == 320)
    let order = created.map { event in String(decoding: event.data, as: UTF8.self) }
    for (index, data) in order.enumerated() { #expect(data.contains(#""seq":\#(index + 1),"#)) }
  }
}

/// Expects `.conflict` with any message.
func expectConflict(_ body: () async throws -> Void) async {
  do {
    try await body()
    Issue.record("No conflict.")
  } catch ChatError.conflict {
  } catch {
    Issue.record(error)
  }
}
