import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

/// Everything waiting for a guest becomes the account's own.
@Suite("Merging a guest into an account", .timeLimit(.minutes(10)))
struct MergeTests {
  static let octocat = GitHubAccount(
    id: 583_231, login: "octocat", type: "User", name: "The Octocat", avatarURL: "https://example.org/a.png")

  /// Bob and Eve have written to a guest; Ada has a chat with Bob.
  private func waiting(_ room: Chatroom) async throws -> (guest: UserID, bobs: RoomID, eves: RoomID) {
    let time = Chatroom.start
    let guest = try await room.store.person(for: Self.octocat, newID: id(40), at: time)
    for (number, user) in [(UInt64(41), room.bob), (42, room.eve)] {
      _ = try await room.store.openDirectRoom(of: user, with: guest.id, newID: id(number), at: time)
    }
    return (guest.id, id(41), id(42))
  }

  private func write(_ number: UInt64, _ text: String, by user: UserID, in room: RoomID, replyTo: Int? = nil)
    -> NewMessage
  {
    NewMessage(
      roomID: room, senderID: user, clientID: id(number), text: text, replyTo: replyTo,
      createdAt: Chatroom.start.adding(seconds: Int64(number)))
  }

  @Test(
    "A new chat is taken over; messages of an existing one are appended, numbered without gaps",
    .shows("D7", "A6"))
  func merge() async throws {
    let room = try await Chatroom()
    let (guest, bobs, eves) = try await waiting(room)
    let store = room.store
    _ = try await store.append(room.message(1, "before"))
    _ = try await store.moveReceipt(in: room.room, of: room.bob, delivered: nil, read: 1)
    _ = try await store.append(room.message(2, "read", by: room.bob))
    _ = try await store.moveReceipt(in: room.room, of: room.ada, delivered: 2, read: 2)
    for (number, text) in [(UInt64(10), "first"), (11, "deleted"), (12, "needle")] {
      _ = try await store.append(write(number, text, by: room.bob, in: bobs, replyTo: number == 12 ? 1 : nil))
    }
    _ = try await store.edit(1, in: bobs, by: room.bob, text: "edited", at: Chatroom.start.adding(seconds: 20))
    try await store.delete(2, in: bobs, by: room.bob, at: Chatroom.start.adding(seconds: 21))
    _ = try await store.append(write(13, "for eve", by: room.eve, in: eves))
    let before = try await store.lastEventID()

    let own = try await store.linkGitHub(Self.octocat, to: room.ada, at: Chatroom.start.adding(seconds: 30))
    #expect(own.user.login == "octocat" && own.user.githubID == Self.octocat.id)

    let page = try await room.page(.newest(limit: 10))
    #expect(page.messages.map(\.seq) == [1, 2, 3, 4, 5])
    #expect(page.messages.map(\.text) == ["before", "read", "edited", "", "needle"])
    #expect(page.messages.map(\.clientID) == [id(1), id(2), id(10), id(11), id(12)])
    #expect(page.messages[2].editedAt != nil && page.messages[3].deletedAt != nil && page.messages[4].replyTo == 3)
    #expect(page.messages[2].createdAt == Chatroom.start.adding(seconds: 10))
    #expect(try await room.room(of: room.ada).unreadCount == 2)
    #expect(try await room.room(of: room.bob).unreadCount == 0)
    let receipts = try await store.receipts(in: room.room, for: room.bob).value
    #expect(receipts.first { $0.userID == room.ada }?.readSeq == 2)
    #expect(receipts.first { $0.userID == room.bob }?.readSeq == 5)

    // Eve's chat is Ada's now.
    let taken = try await store.room(eves, for: room.ada).value
    #expect(taken.peer?.id == room.eve && taken.unreadCount == 1)
    #expect(try await store.room(eves, for: room.eve).value.peer?.id == room.ada)
    #expect(try await store.user(guest) == nil)
    await #expect(throws: ChatError.notFound) { try await store.room(bobs, for: room.bob) }

    let told = try await room.told(room.bob, after: before).map(\.name)
    #expect(
      told == [
        "user.updated", "user.updated", "room.removed", "message.created", "message.created", "message.created",
        "room.updated",
      ])
    #expect(try await room.told(room.eve, after: before).map(\.name).suffix(1) == ["room.updated"])
    let adas = try await room.told(room.ada, after: before).map(\.name)
    #expect(adas.filter { $0 == "room.created" }.count == 1 && adas.last == "me.updated")

    // They are found at their new place, in chronological order.
    let query = try SearchQueryParser.parse(.init(q: "needle"))
    let found = try await store.messages(matching: query, for: room.ada, after: nil, limit: 10)
    #expect(found.hits.map(\.message.seq) == [5])
    // Idempotent, and a retried send finds its message.
    let last = try await store.lastEventID()
    _ = try await store.linkGitHub(Self.octocat, to: room.ada, at: Chatroom.start)
    #expect(try await store.lastEventID() == last)
    let again = try await store.append(write(10, "first", by: room.bob, in: room.room))
    #expect(!again.isNew && again.message.seq == 3)
    // Old events do not leak a message that is deleted later.
    try await store.delete(5, in: room.room, by: room.bob, at: Chatroom.start.adding(seconds: 40))
    #expect(try await !room.told(room.bob).contains { $0.data.contains("needle") })
    #expect(try room.findings() == [])
  }

  @Test("Somebody who has written to their own GitHub account has no chat with themselves", .shows("A6"))
  func oneself() async throws {
    let room = try await Chatroom()
    let guest = try await room.store.person(for: Self.octocat, newID: id(40), at: Chatroom.start)
    _ = try await room.store.openDirectRoom(of: room.ada, with: guest.id, newID: id(41), at: Chatroom.start)
    _ = try await room.store.append(write(5, "note", by: room.ada, in: id(41)))
    _ = try await room.store.linkGitHub(Self.octocat, to: room.ada, at: Chatroom.start)
    #expect(try await room.store.rooms(of: room.ada, after: nil, limit: 10).value.map(\.id) == [room.room])
    let query = try SearchQueryParser.parse(.init(q: "note"))
    #expect(try await room.store.messages(matching: query, for: room.ada, after: nil, limit: 10).hits.isEmpty)
    #expect(try await !room.told(room.ada).contains { $0.data.contains("note") })
    #expect(try room.findings() == [])
  }

  @Test("A refused link changes nothing: a taken account, a second account, an unknown person", .shows("A6"))
  func refused() async throws {
    let room = try await Chatroom()
    _ = try await room.store.linkGitHub(Self.octocat, to: room.ada, at: Chatroom.start)
    let before = try await room.store.lastEventID()
    for user in [room.bob, id(77)] {
      await #expect(throws: ChatError.self) {
        try await room.store.linkGitHub(Self.octocat, to: user, at: Chatroom.start)
      }
    }
    var other = Self.octocat
    other.id = 9
    await #expect(throws: ChatError.self) {
      try await room.store.linkGitHub(other, to: room.ada, at: Chatroom.start)
    }
    #expect(try await room.store.lastEventID() == before)
    #expect(try await room.store.githubAccount(id: 9) == nil)
    #expect(try room.findings() == [])
  }

  @Test(
    "Random histories of guests, chats and groups merge as in the model", .shows("A6", "D7", "R1"), arguments: 0..<6)
  func sameAsModel(run: Int) async throws {
    let seed = run < 3 ? UInt64(run) : UInt64.random(in: 0...UInt64(UInt32.max))
    let heard = try await ModelTests.compare(seed: seed, steps: 700) { $0.isAboutGuests = true }
    // Each kind of merge occurred.
    #expect(heard.contains { $0.contains(" room.removed ") }, "seed \(seed)")
  }
}
