import Chat
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Messages and receipts")
struct MessageTests {
  @Test("a deleted message's text is gone from the message, the log and every replay", .shows("C7"))
  func scrubbed() async throws {
    let chat = try await Chatroom()
    _ = try await chat.store.append(chat.message(1, "secret \"plans\" 日本"))
    _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: "secret again", at: Chatroom.start)
    _ = try await chat.store.append(chat.message(2, "open"))
    let before = try await chat.told(chat.bob)
    let time = Chatroom.start.adding(seconds: 3)
    try await chat.store.delete(1, in: chat.room, by: chat.ada, at: time)
    let after = try await chat.told(chat.bob)
    #expect(after.map(\.name) == before.map(\.name) + ["message.deleted"])
    #expect(!after.contains { $0.data.contains("secret") })
    for index in [1, 2] {
      #expect(after[index].data.contains(#""text":"""#))
      #expect(before[index].data.hasPrefix(String(after[index].data.prefix { $0 != "," })))
    }
    #expect(after[2].data.contains(#""deleted_at":"\#(time)""#))
    #expect(after[3].data == before[3].data)
    let rows = try await chat.store.pool.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM messages, events").map(\.description)
    }
    #expect(!rows.isEmpty && !rows.contains { $0.contains("secret") })
    let message = try await chat.store.message(1, in: chat.room, for: chat.bob)
    #expect(message.text.isEmpty && message.deletedAt == time && message.seq == 1)
  }

  @Test(
    "an edited message's former texts are gone from the log and every replay, for former members too", .shows("C7"))
  func scrubbedByEdit() async throws {
    let chat = try await Chatroom()
    _ = try await chat.store.append(chat.message(1, "secret plans"))
    // A room's event quotes its last message.
    _ = try await chat.store.changeView(of: chat.room, for: chat.bob, RoomViewChange(isMuted: true))
    for text in ["secret again", "third"] {
      _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: text, at: Chatroom.start)
    }
    let told = try await chat.told(chat.bob)
    #expect(told.contains { $0.name == "room.updated" && $0.data.contains(#""last_message":{"#) })
    #expect(!told.contains { $0.data.contains("secret") })
    #expect(told.last?.name == "message.updated" && told.last?.data.contains(#""text":"third""#) == true)
    let rows = try await chat.store.pool.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM messages, events").map(\.description)
    }
    #expect(!rows.isEmpty && !rows.contains { $0.contains("secret") })
  }

  @Test("deleting is idempotent; a deleted message cannot be edited, nor can somebody else's")
  func editRules() async throws {
    let chat = try await Chatroom()
    try await chat.send(1)
    await #expect(throws: ChatError.forbidden("This is somebody else's message.")) {
      try await chat.store.edit(1, in: chat.room, by: chat.bob, text: "mine", at: Chatroom.start)
    }
    await #expect(throws: ChatError.self) {
      try await chat.store.delete(1, in: chat.room, by: chat.bob, at: .init(milliseconds: 0))
    }
    try await chat.store.delete(1, in: chat.room, by: chat.ada, at: Chatroom.start)
    let event = try await chat.store.lastEventID()
    try await chat.store.delete(1, in: chat.room, by: chat.ada, at: Chatroom.start.adding(seconds: 9))
    #expect(try await chat.store.lastEventID() == event)
    #expect(try await chat.store.message(1, in: chat.room, for: chat.ada).deletedAt == Chatroom.start)
    await expectConflict {
      _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: "back", at: Chatroom.start)
    }
  }

  @Test("everything is not found for non-members", arguments: ["Eve", "nobody", "no room"])
  func outsiders(who: String) async throws {
    let chat = try await Chatroom()
    try await chat.send(2)
    let event = try await chat.store.lastEventID()
    let room = who == "no room" ? id(77) : chat.room
    let user = who == "Eve" ? chat.eve : who == "nobody" ? id(66) : chat.ada
    let store = chat.store
    let asked: [@Sendable () async throws -> Void] = [
      { _ = try await store.room(room, for: user) },
      { _ = try await store.members(of: room, for: user) },
      { _ = try await store.message(1, in: room, for: user) },
      { _ = try await store.messages(in: room, for: user, .newest(limit: 1)) },
      { _ = try await store.receipts(in: room, for: user) },
      { try await store.changeView(of: room, for: user, RoomViewChange(draft: "x")) },
      { _ = try await store.edit(1, in: room, by: user, text: "x", at: Chatroom.start) },
      { try await store.delete(1, in: room, by: user, at: Chatroom.start) },
      { _ = try await store.moveReceipt(in: room, of: user, delivered: 1, read: 1) },
      { _ = try await store.markUnread(in: room, of: user, from: 1) },
      {
        _ = try await store.append(
          NewMessage(roomID: room, senderID: user, clientID: id(1000), text: "x", createdAt: Chatroom.start))
      },
    ]
    for (index, ask) in asked.enumerated() {
      await #expect(throws: ChatError.notFound, "number \(index)") { try await ask() }
    }
    #expect(try await store.lastEventID() == event)
    #expect(try await chat.told(chat.eve).isEmpty)
  }

  @Test("pointers move forward and never beyond the last message; only marking as unread moves back", .shows("S4"))
  func receipts() async throws {
    let chat = try await Chatroom()
    try await chat.send(5)
    let (store, room, bob) = (chat.store, chat.room, chat.bob)
    var event = try await store.lastEventID()
    func expect(_ receipt: Receipt, _ delivered: Int, _ read: Int, logged: Bool) async throws {
      #expect(receipt == Receipt(roomID: room, userID: bob, deliveredSeq: delivered, readSeq: read))
      let last = try await store.lastEventID()
      #expect(last == event + (logged ? 1 : 0))
      event = last
    }
    try await expect(store.moveReceipt(in: room, of: bob, delivered: 2, read: nil), 2, 0, logged: true)
    try await expect(store.moveReceipt(in: room, of: bob, delivered: 1, read: nil), 2, 0, logged: false)
    try await expect(store.moveReceipt(in: room, of: bob, delivered: nil, read: 3), 3, 3, logged: true)
    try await expect(store.moveReceipt(in: room, of: bob, delivered: 99, read: nil), 5, 3, logged: true)
    try await expect(store.moveReceipt(in: room, of: bob, delivered: nil, read: 99), 5, 5, logged: true)
    try await expect(store.moveReceipt(in: room, of: bob, delivered: nil, read: nil), 5, 5, logged: false)
    try await expect(store.markUnread(in: room, of: bob, from: 4), 5, 3, logged: true)
    #expect(try await chat.room(of: bob).unreadCount == 2)
    try await expect(store.markUnread(in: room, of: bob, from: 5), 5, 3, logged: false)
    try await expect(store.markUnread(in: room, of: bob, from: -7), 5, 0, logged: true)
    #expect(try await chat.room(of: bob).unreadCount == 5)
    try await store.delete(2, in: room, by: chat.ada, at: Chatroom.start)
    _ = try await store.append(chat.message(50, "mine", by: chat.bob))
    _ = try await store.markUnread(in: room, of: bob, from: 1)
    #expect(try await chat.room(of: bob).unreadCount == 4)
  }

  @Test("a cleared chat shows only later messages; a hidden one is off the list until somebody writes", .shows("L4"))
  func clearedAndHidden() async throws {
    let chat = try await Chatroom()
    try await chat.send(3)
    try await chat.store.pool.write { database in
      try database.execute(
        sql: """
          UPDATE memberships SET cleared_seq = 3, hidden_seq = 3
          WHERE member = (SELECT key FROM users WHERE first_name = 'Bob')
          """)
    }
    let hidden = try await chat.store.rooms(of: chat.bob, after: nil, limit: 9).value
    #expect(hidden.isEmpty)
    let room = try await chat.room(of: chat.bob)
    #expect(room.lastMessage == nil && room.unreadCount == 0 && room.lastSeq == 3)
    let empty = try await chat.page(.newest(limit: 9), for: chat.bob)
    #expect(empty.messages.isEmpty && !empty.hasEarlier && !empty.hasLater)
    await #expect(throws: ChatError.notFound) { try await chat.store.message(3, in: chat.room, for: chat.bob) }
    await #expect(throws: ChatError.self) { try await chat.store.append(chat.message(7, by: chat.bob, replyTo: 3)) }
    try await chat.send(2, from: 2000)
    let shown = try await chat.store.rooms(of: chat.bob, after: nil, limit: 9).value
    #expect(shown.map(\.id) == [chat.room] && shown[0].unreadCount == 2)
    for range in [MessageRange.newest(limit: 9), .before(seq: 9, limit: 9), .around(seq: 1, limit: 9)] {
      let page = try await chat.page(range, for: chat.bob)
      #expect(page.messages.map(\.seq) == [4, 5] && !page.hasEarlier)
    }
    #expect(try await chat.store.rooms(of: chat.ada, after: nil, limit: 9).value.count == 1)
    #expect(try await chat.page(.newest(limit: 9)).messages.count == 5)
  }

  @Test("a page holds at least one and at most 200 messages, whatever the limit")
  func limits() async throws {
    let chat = try await Chatroom()
    try await withThrowingTaskGroup { group in
      for number in 0..<230 { group.addTask { _ = try await chat.store.append(chat.message(UInt64(3000 + number))) } }
      try await group.waitForAll()
    }
    #expect(try await chat.page(.newest(limit: Int.max)).messages.map(\.seq) == Array(31...230))
    #expect(try await chat.page(.newest(limit: -1)).messages.map(\.seq) == [230])
    #expect(try await chat.page(.after(seq: Int.min, limit: 3)).messages.map(\.seq) == [1, 2, 3])
    #expect(try await chat.page(.before(seq: Int.max, limit: 3)).messages.map(\.seq) == [228, 229, 230])
    #expect(try await chat.page(.around(seq: Int.max, limit: 3)).messages.map(\.seq) == [228, 229, 230])
    #expect(try await chat.page(.around(seq: Int.min, limit: 3)).messages.map(\.seq) == [1, 2, 3])
  }

  @Test("a snapshot's event is exactly the one that its state reflects, during concurrent writes")
  func snapshots() async throws {
    let chat = try await Chatroom()
    let offset = try await chat.store.lastEventID()
    let writing = Task { try await chat.send(150) }
    var seen: Set<Int> = []
    while !seen.contains(150) {
      // The reads do not suspend: without this, a machine with one thread to spare would never write.
      await Task.yield()
      let room = try await chat.store.room(chat.room, for: chat.bob)
      let rooms = try await chat.store.rooms(of: chat.bob, after: nil, limit: 1)
      let page = try await chat.store.messages(in: chat.room, for: chat.bob, .newest(limit: 1))
      #expect(room.eventID == offset + EventID(room.value.lastSeq))
      #expect(room.value.unreadCount == room.value.lastSeq)
      #expect(rooms.eventID == offset + EventID(rooms.value[0].lastSeq))
      #expect(page.eventID == offset + EventID(page.value.messages.last?.seq ?? 0))
      seen.insert(room.value.lastSeq)
    }
    try await writing.value
  }
}
