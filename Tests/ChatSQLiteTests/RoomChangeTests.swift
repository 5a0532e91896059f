import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Lines of a group's log that are not messages")
struct RoomChangeTests {
  private let group: RoomID = id(50)

  private func time(_ seconds: Int64) -> Timestamp { Chatroom.start.adding(seconds: seconds) }

  /// A group of Ada's with Bob in it.
  private func chatroom(mostChanges: Int = 100) async throws -> Chatroom {
    var limits = StoreLimits()
    limits.roomChanges = mostChanges
    let chat = try await Chatroom(limits: limits)
    _ = try await chat.store.createGroup(
      NewGroup(id: group, makerID: chat.ada, name: "G", isPublic: true, memberIDs: [chat.bob], createdAt: time(0)))
    return chat
  }

  private func changes(
    _ chat: Chatroom, for user: UserID? = nil, _ range: RoomChangeRange = .newest, limit: Int = 50
  ) async throws -> RoomChangePage {
    try await chat.store.changes(in: group, for: user ?? chat.ada, range, limit: limit).value
  }

  /// A line in words.
  private func words(_ change: RoomChange) -> String {
    [
      change.by.name, change.kind.rawValue, change.user?.name, change.text.map { "“\($0)”" },
      change.messageSeq.map { "#\($0)" },
    ].compactMap(\.self).joined(separator: " ")
  }

  private func rename(_ chat: Chatroom, _ name: String, at seconds: Int64) async throws {
    _ = try await chat.store.changeGroup(group, by: chat.ada, GroupChange(name: name), at: time(seconds))
  }

  @Test("Whatever changes a group for all is a line of its log, stored with it and told to the members", .shows("R5"))
  func kinds() async throws {
    let chat = try await chatroom()
    let (store, ada, bob, eve) = (chat.store, chat.ada, chat.bob, chat.eve)
    let start = try await store.lastEventID()
    _ = try await store.append(
      NewMessage(roomID: group, senderID: ada, clientID: id(200), text: "a", createdAt: time(1)))
    _ = try await store.join(group, by: eve, at: time(2))
    _ = try await store.setMember(bob, in: group, role: .admin, by: ada, at: time(3))
    _ = try await store.setMember(bob, in: group, role: .member, by: ada, at: time(4))
    _ = try await store.changeGroup(
      group, by: ada, GroupChange(name: "H", topic: "T", isPublic: false), at: time(5))
    _ = try await store.changeGroup(group, by: ada, GroupChange(name: "H", topic: "", isPublic: true), at: time(6))
    for name in ["o/r", "o/r", nil] as [String?] {
      let repository = name.flatMap { RepositoryName($0) }
      _ = try await store.changeGroup(group, by: ada, GroupChange(repository: .some(repository)), at: time(6))
    }
    let picture = Picture(
      id: PictureID(digest: [UInt8](repeating: 7, count: 32)), mediaType: "image/png", bytes: [1])
    _ = try await store.setPicture(picture, of: group, by: ada, at: time(7))
    _ = try await store.setPicture(nil, of: group, by: ada, at: time(8))
    let address = MessageAddress(roomID: group, seq: 1)
    for isAdded in [true, true, false] { try await store.pin(address, by: ada, at: time(9), isAdded: isAdded) }
    try await store.removeMember(eve, from: group, by: ada, at: time(10))
    _ = try await store.setMember(eve, in: group, role: nil, by: ada, at: time(11))
    try await store.ban(eve, from: group, by: ada, at: time(12))
    // What is so already, and who was not in, is no change of the group.
    try await store.ban(eve, from: group, by: ada, at: time(13))
    try await rename(chat, "H", at: 14)
    try await store.leave(group, by: ada, at: time(15))

    let page = try await changes(chat, for: bob)
    #expect(
      page.changes.map(words) == [
        "Eve joined", "Ada made_admin Bob", "Ada made_member Bob", "Ada renamed “H”", "Ada described “T”",
        "Ada made_private", "Ada described “”", "Ada made_public",
        "Ada repository_set “o/r”", "Ada repository_set “”", "Ada picture_set", "Ada picture_removed",
        "Ada pinned #1", "Ada unpinned #1", "Ada removed Eve", "Ada added Eve", "Ada banned Eve", "Ada left",
        "Ada made_owner Bob",
      ])
    #expect(Set(RoomChange.Kind.allCases) == Set(page.changes.map(\.kind)), "each kind is among them")
    #expect(!page.hasEarlier && !page.hasLater)
    // Stored and told alike, in the order of ids; nothing of it is unread.
    let told = try await chat.told(bob, after: start).filter { $0.name == "room.changed" }.map(\.data)
    #expect(
      told
        == page.changes.map {
          var json = JSONWriter()
          json.value($0)
          return String(decoding: json.bytes, as: UTF8.self)
        })
    let room = try await store.room(group, for: bob).value
    #expect(room.unreadCount == 1 && room.lastSeq == 1 && room.lastMessage?.seq == 1)
    #expect(try chat.findings() == [])
    store.close()
  }

  @Test("A direct chat has no such lines, and outsiders see none", .shows("R5"))
  func none() async throws {
    let chat = try await chatroom()
    try await chat.send(1)
    try await chat.store.pin(MessageAddress(roomID: chat.room, seq: 1), by: chat.ada, at: time(1), isAdded: true)
    #expect(try await chat.store.changes(in: chat.room, for: chat.bob, .newest, limit: 9).value.changes.isEmpty)
    #expect(try await !chat.told(chat.bob).map(\.name).contains("room.changed"))
    try await rename(chat, "H", at: 2)
    await #expect(throws: ChatError.notFound) { try await changes(chat, for: chat.eve) }
    #expect(try await !chat.told(chat.eve).map(\.name).contains("room.changed"))
    chat.store.close()
  }

  @Test("Pages go from either side by number and by time, and say what is beyond", .shows("R5"))
  func pages() async throws {
    let chat = try await chatroom()
    for number in 1...5 { try await rename(chat, "\(number)", at: Int64(number)) }
    func page(_ range: RoomChangeRange, _ limit: Int = 2) async throws -> String {
      let page = try await changes(chat, range, limit: limit)
      return (page.hasEarlier ? "… " : "") + page.changes.compactMap(\.text).joined(separator: " ")
        + (page.hasLater ? " …" : "")
    }
    let ids = try await changes(chat).changes.map(\.id)
    #expect(ids == ids.sorted() && Set(ids).count == 5)
    #expect(try await page(.newest) == "… 4 5")
    #expect(try await page(.newest, 9) == "1 2 3 4 5")
    #expect(try await page(.before(.change(ids[3]))) == "… 2 3 …")
    #expect(try await page(.before(.time(time(2)))) == "1 …")
    #expect(try await page(.after(.change(ids[0]))) == "… 2 3 …")
    #expect(try await page(.after(.time(time(3)))) == "… 4 5")
    #expect(try await page(.after(.change(ids[4]))) == "")
    chat.store.close()
  }

  @Test("A log keeps the newest lines, as many as its limit", .shows("R5"))
  func bound() async throws {
    let chat = try await chatroom(mostChanges: 3)
    for number in 1...5 { try await rename(chat, "\(number)", at: Int64(number)) }
    #expect(try await changes(chat).changes.compactMap(\.text) == ["3", "4", "5"])
    chat.store.close()
  }

  @Test("Who cleared the group sees what came since; who joined later sees all, as of messages", .shows("R5", "L4"))
  func clearing() async throws {
    let chat = try await chatroom()
    try await rename(chat, "before", at: 1)
    // There is no message yet: the line alone is cleared.
    try await chat.store.clear(group, for: chat.bob)
    let cleared = try await chat.store.room(group, for: chat.bob).value
    #expect(cleared.clearedSeq == 0 && cleared.clearedChange > 0)
    #expect(try await chat.told(chat.bob).last?.name == "room.updated")
    #expect(try await changes(chat, for: chat.bob).changes.isEmpty)
    let event = try await chat.store.lastEventID()
    try await chat.store.clear(group, for: chat.bob)
    #expect(try await chat.store.lastEventID() == event, "again is no change")
    try await rename(chat, "after", at: 2)
    let page = try await changes(chat, for: chat.bob, limit: 1)
    #expect(page.changes.map(\.text) == ["after"] && !page.hasEarlier)
    #expect(try await changes(chat, for: chat.bob, .before(.time(time(2)))).changes.isEmpty)
    _ = try await chat.store.join(group, by: chat.eve, at: time(3))
    let seen = try await changes(chat, for: chat.eve).changes.map(words)
    #expect(seen == ["Ada renamed “before”", "Ada renamed “after”", "Eve joined"])
    #expect(try await changes(chat).changes.count == 3)
    chat.store.close()
  }

  @Test("A guest who turns out to be somebody is named as that person in all lines", .shows("R5", "D7"))
  func merging() async throws {
    let chat = try await chatroom()
    let account = GitHubAccount(id: 7, login: "octo", type: "User", avatarURL: "")
    let guest = try await chat.store.person(for: account, newID: id(70), at: time(0)).id
    _ = try await chat.store.setMember(guest, in: group, role: .admin, by: chat.ada, at: time(1))
    _ = try await chat.store.changeGroup(group, by: guest, GroupChange(topic: "T"), at: time(2))
    try await chat.store.clear(group, for: guest)
    _ = try await chat.store.linkGitHub(account, to: chat.eve, at: time(3))
    #expect(try await changes(chat).changes.map(words) == ["Ada added Eve", "Eve described “T”"])
    // What the guest had cleared stays cleared.
    #expect(try await changes(chat, for: chat.eve).changes.isEmpty)
    #expect(try chat.findings() == [])
    chat.store.close()
  }
}
