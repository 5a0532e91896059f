import Chat
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

/// All writes share one thread, so none may take long: the rows that a write changes do not grow with the room, nor with
/// what was done there before.
@Suite("The cost of a write")
struct WriteCostTests {
  /// The number of rows that a write changes.
  private func rows(
    _ chat: Chatroom, _ write: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws -> Int {
    try await chat.store.write { transaction in
      let before = transaction.database.totalChangesCount
      try write(transaction)
      return transaction.database.totalChangesCount - before
    }
  }

  @Test(
    "editing and deleting a message change as few rows after hundreds of edits and changed views as before them",
    .shows("control 6"))
  func afterMany() async throws {
    let chat = try await Chatroom()
    let (store, room, ada) = (chat.store, chat.room, chat.ada)
    func cost(of seq: Int) async throws -> [Int] {
      [
        try await rows(chat) { _ = try $0.edit(seq, in: room, by: ada, text: "new", at: Chatroom.start) },
        try await rows(chat) { try $0.delete(seq, in: room, by: ada, at: Chatroom.start) },
      ]
    }
    try await chat.send(1)
    let before = try await cost(of: 1)
    _ = try await store.append(chat.message(1))
    for number in 0..<300 {
      try await store.changeView(of: room, for: chat.bob, RoomViewChange(isMuted: number % 2 == 0))
      _ = try await store.edit(2, in: room, by: ada, text: "text \(number)", at: Chatroom.start)
    }
    // The search index knows of the message, now or a moment later, which costs a row.
    for (first, later) in zip(before, try await cost(of: 2)) { #expect(abs(first - later) <= 1) }
  }

  @Test(
    "what is done in a group changes as few rows and logs as few events with 300 members as with 3",
    .shows("control 6"))
  func inLargeGroups() async throws {
    let (small, large) = (try await costs(inGroupOf: 3), try await costs(inGroupOf: 300))
    #expect(small.map(\.events) == large.map(\.events))
    // The search index knows of a message, now or a moment later, which costs a row.
    for (few, many) in zip(small, large) { #expect(abs(few.rows - many.rows) <= 1) }
  }

  private func costs(inGroupOf count: UInt64) async throws -> [(rows: Int, events: EventID)] {
    var limits = StoreLimits()
    // In a small group each other member is told of a receipt.
    limits.toldOfReceipts = 0
    let chat = try await Chatroom(limits: limits)
    let (group, ada, bob, eve): (RoomID, UserID, UserID, UserID) = (id(50), chat.ada, chat.bob, chat.eve)
    let (time, seq) = (Chatroom.start, MessageAddress(roomID: id(50), seq: 1))
    var members = [bob]
    for number in 100..<100 + count - 2 {
      let account = NewAccount(
        id: id(number), email: "p\(number)@example.org", passwordHash: "hash", firstName: "P\(number)", lastName: "",
        createdAt: time)
      members.append(try await chat.store.createAccount(account).user.id)
    }
    let new = NewGroup(id: group, makerID: ada, name: "Engines", memberIDs: members, createdAt: time)
    _ = try await chat.store.createGroup(new)
    let message = NewMessage(roomID: group, senderID: ada, clientID: id(900), text: "Hello @bob", createdAt: time)
    let writes: [@Sendable (WriteTransaction) throws -> Void] = [
      { _ = try $0.append(message) },
      { _ = try $0.edit(1, in: group, by: ada, text: "Hello @bob and others", at: time) },
      { _ = try $0.changeGroup(group, by: ada, GroupChange(name: "Machines", topic: "All", isPublic: true), at: time) },
      { try $0.react(to: seq, with: "👍", by: bob, isAdded: true) },
      { try $0.pin(seq, by: ada, at: time, isAdded: true) },
      { _ = try $0.moveReceipt(in: group, of: bob, delivered: 1, read: 1) },
      { _ = try $0.changeView(of: group, for: bob, RoomViewChange(isMuted: true, draft: "a draft")) },
      { try $0.clear(group, for: bob) },
      { try $0.hide(group, for: bob) },
      { _ = try $0.join(group, by: eve, at: time) },
      { _ = try $0.setMember(eve, in: group, role: .admin, by: ada, at: time) },
      { try $0.ban(eve, from: group, by: ada, at: time) },
      { try $0.delete(1, in: group, by: ada, at: time) },
      { try $0.leave(group, by: ada, at: time) },
    ]
    var costs: [(rows: Int, events: EventID)] = []
    for write in writes {
      let event = try await chat.store.lastEventID()
      let rows = try await rows(chat, write)
      costs.append((rows, try await chat.store.lastEventID() - event))
    }
    return costs
  }

  @Test("a group that many have removed from their lists comes back to some of them with each write")
  func shownAgainInPortions() async throws {
    var limits = StoreLimits()
    limits.shownAgainAtOnce = 3
    let chat = try await Chatroom(limits: limits)
    let commits = Box<[[UserID]]>([])
    var members: [UserID] = []
    for number: UInt64 in 100..<108 {
      let account = NewAccount(
        id: id(number), email: "p\(number)@example.org", passwordHash: "hash", firstName: "P", lastName: "",
        createdAt: Chatroom.start)
      members.append(try await chat.store.createAccount(account).user.id)
    }
    let new = NewGroup(id: id(50), makerID: chat.ada, name: "G", memberIDs: members, createdAt: Chatroom.start)
    _ = try await chat.store.createGroup(new)
    for member in members { try await chat.store.hide(id(50), for: member) }
    chat.store.observeCommits { events in
      let readers = events.compactMap { event in
        if case .user(let id) = event.audience, event.name == "room.created" { id } else { nil }
      }
      commits.update { $0.append(readers) }
    }
    let message = NewMessage(
      roomID: id(50), senderID: chat.ada, clientID: id(900), text: "Hello", createdAt: Chatroom.start)
    _ = try await chat.store.append(message)
    try await eventually { commits.value.joined().count == 8 }
    #expect(commits.value.map(\.count).filter { $0 > 0 } == [3, 3, 2] && Set(commits.value.joined()) == Set(members))
    for member in members { #expect(try await !chat.store.room(id(50), for: member).value.isHidden) }
  }
}
