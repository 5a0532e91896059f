import Chat
import GRDB
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("The event log")
struct EventLogTests {
  @Test("what is replayed is to the byte what was live")
  func sameBytes() async throws {
    let chat = try await Chatroom(presence: SomebodyIsOnline(user: id(1)))
    let live = Box<[LoggedEvent]>([])
    chat.store.observeCommits { events in live.update { $0 += events } }
    let after = try await chat.store.lastEventID()
    try await chat.send(2)
    _ = try await chat.store.rename(chat.ada, firstName: "Ada \"the\" 1st", lastName: "Łovelace")
    _ = try await chat.store.moveReceipt(in: chat.room, of: chat.bob, delivered: 2, read: 1)
    try await chat.store.changeView(of: chat.room, for: chat.bob, RoomViewChange(draft: "for me alone"))
    let replay = try await chat.store.events(after: after, for: chat.bob, limit: 99)
    chat.store.close()
    #expect(replay.events.map(\.data) == live.value.map(\.data))
    #expect(replay.events.map(\.id) == live.value.map(\.id) && replay.readTo == live.value.last?.id)
    // Who else was told is not the business of the one who asks.
    let audiences = live.value.map { $0.audience == .everyone ? Audience.everyone : .user(chat.bob) }
    #expect(replay.events.map(\.audience) == audiences)
    #expect(String(decoding: live.value[0].data, as: UTF8.self).contains(#""online":true"#))
  }

  @Test("SECURITY 9 a replay brings members what was live for them, and nothing of the time when they were out")
  func sameInGroups() async throws {
    let chat = try await Chatroom()
    let live = Box<[LoggedEvent]>([])
    chat.store.observeCommits { events in live.update { $0 += events } }
    let after = try await chat.store.lastEventID()
    let group: RoomID = id(50)
    _ = try await chat.store.createGroup(
      NewGroup(id: group, makerID: chat.ada, name: "G", memberIDs: [chat.bob], createdAt: Chatroom.start))
    func say(_ text: String, _ number: UInt64) async throws {
      _ = try await chat.store.append(
        NewMessage(roomID: group, senderID: chat.ada, clientID: id(number), text: text, createdAt: Chatroom.start))
    }
    try await say("while Bob is in", 201)
    _ = try await chat.store.moveReceipt(in: group, of: chat.bob, delivered: 1, read: 1)
    _ = try await chat.store.setMember(chat.eve, in: group, role: nil, by: chat.ada)
    _ = try await chat.store.setMember(chat.eve, in: group, role: .admin, by: chat.ada)
    _ = try await chat.store.setPicture(
      Picture(id: PictureID(digest: [UInt8](repeating: 7, count: 32)), mediaType: "image/png", bytes: [1]), of: group,
      by: chat.eve)
    func replayed(_ user: UserID) async throws -> [LoggedEvent] {
      try await chat.store.events(after: after, for: user, limit: 99).events
    }
    func liveOnes(_ user: UserID) -> [LoggedEvent] { live.value.filter { InMemoryStore.mayRead(user, $0.audience) } }
    for user in [chat.ada, chat.bob, chat.eve] {
      _ = try await chat.store.rename(chat.eve, firstName: "Eva \(user)", lastName: "")
      try await chat.observed(live)
      let (wanted, got) = (liveOnes(user), try await replayed(user))
      #expect(got.map(\.id) == wanted.map(\.id) && got.map(\.data) == wanted.map(\.data))
    }
    #expect(liveOnes(chat.bob).contains { $0.name == "message.created" })

    try await chat.store.removeMember(chat.bob, from: group, by: chat.ada)
    try await say("while Bob is out", 202)
    _ = try await chat.store.changeGroup(group, by: chat.ada, GroupChange(name: "H"))
    try await chat.observed(live)
    // What was told to him alone stays his, the last of it that he is out; of what was told to the room, nothing is left.
    let own = live.value.filter { $0.audience == .user(chat.bob) || $0.audience == .everyone }
    #expect(try await replayed(chat.bob).map(\.id) == own.map(\.id))
    #expect(own.last?.name == "room.removed" && liveOnes(chat.bob).last?.name == "room.removed")

    _ = try await chat.store.setMember(chat.bob, in: group, role: nil, by: chat.ada)
    try await say("when Bob is back", 203)
    try await chat.observed(live)
    let texts = try await replayed(chat.bob).filter { $0.name == "message.created" }
    #expect(texts.count == 1 && String(decoding: texts[0].data, as: UTF8.self).contains("when Bob is back"))
    chat.store.close()
  }

  @Test("a reader is told what concerns everyone, himself and his rooms; the page says how far it has read")
  func audience() async throws {
    let chat = try await Chatroom()
    try await chat.store.changeView(of: chat.room, for: chat.ada, RoomViewChange(draft: "Ada's"))
    try await chat.send(3)
    _ = try await chat.store.rename(chat.eve, firstName: "Eva", lastName: "")
    #expect(try await chat.told(chat.eve).map(\.name) == ["user.updated"])
    #expect(
      try await chat.told(chat.bob).map(\.name) == [
        "room.created", "message.created", "message.created", "message.created", "user.updated",
      ])
    let last = try await chat.store.lastEventID()
    let whole = try await chat.store.events(after: 0, for: chat.eve, limit: 2)
    #expect(whole.events.count == 1 && whole.readTo == last && whole.reachesBack)
    let part = try await chat.store.events(after: 0, for: chat.bob, limit: 2)
    #expect(part.events.count == 2 && part.readTo == part.events[1].id)
    let rest = try await chat.store.events(after: part.readTo, for: chat.bob, limit: 3)
    #expect(rest.events.count == 3 && rest.readTo == last)
    let end = try await chat.store.events(after: last, for: chat.bob, limit: 3)
    #expect(end.events.isEmpty && end.readTo == last && end.reachesBack)
    await #expect(throws: ChatError.notFound) { try await chat.store.events(after: 0, for: id(66), limit: 3) }
  }

  @Test("the oldest events are trimmed step by step; whoever was away longer must read anew")
  func trimming() async throws {
    var limits = StoreLimits()
    limits.keptEvents = 20
    limits.trimmedAtOnce = 5
    limits.eventsReadAtOnce = 3
    let chat = try await Chatroom(limits: limits)
    try await chat.send(60)
    // Its own commit comes after the trimming that followed the last message.
    try await chat.store.recordLastSeen(chat.bob, at: Chatroom.start)
    let last = try await chat.store.lastEventID()
    #expect(last == 62)
    let oldest = try await chat.store.pool.read { try EventID.fetchOne($0, sql: "SELECT min(id) FROM events") ?? 0 }
    #expect((21...26).contains(Int(last - oldest) + 2))
    let back = try await chat.store.events(after: oldest - 1, for: chat.bob, limit: 99)
    #expect(back.reachesBack && back.events.map(\.id) == Array(oldest...last))
    let lost = try await chat.store.events(after: oldest - 2, for: chat.bob, limit: 99)
    #expect(!lost.reachesBack && lost.events.isEmpty && lost.readTo == last)
    #expect(try await !chat.store.events(after: 0, for: chat.bob, limit: 99).reachesBack)
    try await chat.send(1, from: 5000)
    #expect(try await chat.store.lastEventID() == last + 1)
  }

  @Test("a number that was never given belongs to another database: its reader must read anew")
  func unknownNumber() async throws {
    let chat = try await Chatroom()
    let last = try await chat.store.lastEventID()
    for id in [last + 1, EventID.max, -1, EventID.min] {
      let replay = try await chat.store.events(after: id, for: chat.ada, limit: 9)
      #expect(!replay.reachesBack && replay.readTo == last, "\(id)")
    }
  }

  @Test("an empty database has event 0, and a log that was trimmed whole keeps its last number")
  func emptyLog() async throws {
    let store = try SQLiteStore(path: ":memory:", presence: NobodyIsOnline())
    #expect(try await store.lastEventID() == 0)
    let chat = try await Chatroom()
    try await chat.store.pool.write { try $0.execute(sql: "DELETE FROM events") }
    #expect(try await chat.store.lastEventID() == 2)
    #expect(try await !chat.store.events(after: 1, for: chat.ada, limit: 9).reachesBack)
    #expect(try await chat.store.events(after: 2, for: chat.ada, limit: 9).reachesBack)
  }

  @Test("a replay reads along indexes, never through what others were told")
  func queryPlan() async throws {
    let chat = try await Chatroom()
    let plan = try await chat.store.pool.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + Database.eventsOfReader, arguments: [0, 1, 10]
      ).map { $0["detail"] as String }
    }
    // Subqueries that are cut off at the limit may be read through; tables may not.
    let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("SUBQUERY") && !$0.contains("(subquery") }
    #expect(scans.allSatisfy { $0 == "SCAN found" }, "\(plan)")
    for index in ["events_for_everyone", "events_by_reader", "events_by_room", "memberships_by_member"] {
      #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.contains(index) }, "\(index): \(plan)")
    }
  }
}

/// One person is online.
private struct SomebodyIsOnline: PresenceReading {
  let user: UserID
  func isOnline(_ id: UserID) -> Bool { id == user }
}
