import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("The limits of groups")
struct GroupLimitTests {
  /// A public group of Ada's with the maximum number of members, one of whom cannot be replaced.
  private func full() async throws -> (chat: Chatroom, group: RoomID) {
    var limits = StoreLimits()
    limits.members = 2
    let chat = try await Chatroom(limits: limits)
    let group: RoomID = id(50)
    _ = try await chat.store.createGroup(
      NewGroup(
        id: group, makerID: chat.ada, name: "G", isPublic: true, memberIDs: [chat.bob], createdAt: Chatroom.start))
    return (chat, group)
  }

  @Test(
    "A full group accepts nobody by any route until a member leaves; a new account is created nevertheless",
    .shows("R1"))
  func members() async throws {
    let (chat, group) = try await full()
    let (store, token) = (chat.store, [UInt8](repeating: 1, count: 32))
    _ = try await store.createInvitation(
      NewInvitation(id: id(60), secretHash: token, roomID: group, inviterID: chat.ada, createdAt: Chatroom.start),
      limit: 9)
    let before = try await store.lastEventID()
    let full = ChatError.conflict("A group has at most 2 members.")
    await #expect(throws: full) { try await store.join(group, by: chat.eve, at: Chatroom.start) }
    await #expect(throws: full) { try await store.accept(token, by: chat.eve, at: Chatroom.start) }
    await #expect(throws: full) {
      try await store.setMember(chat.eve, in: group, role: nil, by: chat.ada, at: Chatroom.start)
    }
    await #expect(throws: full) {
      try await store.createGroup(
        NewGroup(
          id: id(51), makerID: chat.ada, name: "H", memberIDs: [chat.bob, chat.eve], createdAt: Chatroom.start))
    }
    #expect(try await store.lastEventID() == before)
    #expect(try await store.invitations(in: group, of: nil, at: Chatroom.start).first?.uses == 0)
    let dan = try await store.createAccount(
      NewAccount(
        id: id(4), email: "dan@example.org", passwordHash: "hash", firstName: "Dan", lastName: "",
        createdAt: Chatroom.start, invitation: token))
    #expect(dan.user.id == id(4))
    await #expect(throws: ChatError.notFound) { try await store.room(group, for: id(4)) }
    try await store.leave(group, by: chat.bob, at: Chatroom.start)
    #expect(try await store.join(group, by: chat.eve, at: Chatroom.start).membersCount == 2)
    store.close()
  }

  @Test(
    "In a room above the limit receipts go to the person's own devices only; the list has all", .shows("R4"))
  func receipts() async throws {
    var limits = StoreLimits()
    limits.toldOfReceipts = 2
    let chat = try await Chatroom(limits: limits)
    let group: RoomID = id(50)
    _ = try await chat.store.createGroup(
      NewGroup(id: group, makerID: chat.ada, name: "G", memberIDs: [chat.bob], createdAt: Chatroom.start))
    for number in 1...2 {
      _ = try await chat.store.append(
        NewMessage(
          roomID: group, senderID: chat.ada, clientID: id(UInt64(200 + number)), text: "x", createdAt: Chatroom.start))
    }
    func heard(_ read: Int) async throws -> [UserID] {
      let start = try await chat.store.lastEventID()
      _ = try await chat.store.moveReceipt(in: group, of: chat.bob, delivered: nil, read: read)
      var heard: [UserID] = []
      for user in [chat.ada, chat.bob, chat.eve] {
        if try await chat.told(user, after: start).map(\.name) == ["receipt.updated"] { heard.append(user) }
      }
      return heard
    }
    #expect(try await heard(1) == [chat.ada, chat.bob])
    _ = try await chat.store.setMember(chat.eve, in: group, role: nil, by: chat.ada, at: Chatroom.start)
    #expect(try await heard(2) == [chat.bob])
    let all = try await chat.store.receipts(in: group, for: chat.ada).value
    #expect(all.first { $0.userID == chat.bob }?.readSeq == 2 && all.count == 3)
    chat.store.close()
  }
}
