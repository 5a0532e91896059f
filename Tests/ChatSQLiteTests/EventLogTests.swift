import Chat
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("The event log")
struct EventLogTests {
  @Test("replayed events equal the live ones byte for byte")
  func sameBytes() async throws {
    let chat = try await Chatroom()
    let live = Box<[LoggedEvent]>([])
    chat.store.observeCommits { events in live.update { $0 += events } }
    let after = try await chat.store.lastEventID()
    try await chat.send(2)
    _ = try await chat.store.changeProfile(
      of: chat.ada, ProfileChange(firstName: "Ada \"the\" 1st", lastName: "Łovelace"))
    _ = try await chat.store.moveReceipt(in: chat.room, of: chat.bob, delivered: 2, read: 1)
    try await chat.store.changeView(of: chat.room, for: chat.bob, RoomViewChange(draft: "for me alone"))
    let replay = try await chat.store.events(after: after, for: chat.bob, limit: 99)
    chat.store.close()
    #expect(replay.events.map(\.data) == live.value.map(\.data))
    #expect(replay.events.map(\.id) == live.value.map(\.id) && replay.readTo == live.value.last?.id)
    // A replay does not reveal the other recipients.
    let audiences = live.value.map { $0.audience == .everyone ? Audience.everyone : .user(chat.bob) }
    #expect(replay.events.map(\.audience) == audiences)
    let texts = live.value.map { String(decoding: $0.data, as: UTF8.self) }
    #expect(!texts.contains { $0.contains("online") || $0.contains("last_seen_at") })
  }

  @Test(
    "a replay has what members received live, nothing from before they joined or after they left", .shows("control 9"))
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
    _ = try await chat.store.setMember(chat.eve, in: group, role: nil, by: chat.ada, at: Chatroom.start)
    _ = try await chat.store.setMember(chat.eve, in: group, role: .admin, by: chat.ada, at: Chatroom.start)
    _ = try await chat.store.setPicture(
      Picture(id: PictureID(digest: [UInt8](repeating: 7, count: 32)), mediaType: "image/png", bytes: [1]), of: group,
      by: chat.eve, at: Chatroom.start)
    func replayed(_ user: UserID) async throws -> [LoggedEvent] {
      try await chat.store.events(after: after, for: user, limit: 99).events
    }
    func liveOnes(_ user: UserID) -> [LoggedEvent] { live.value.filter { InMemoryStore.mayRead(user, $0.audience) } }
    for user in [chat.ada, chat.bob, chat.eve] {
      _ = try await chat.store.changeProfile(of: chat.eve, ProfileChange(firstName: "Eva \(user)", lastName: ""))
      try await chat.observed(live)
      let (wanted, got) = (liveOnes(user), try await replayed(user))
      #expect(got.map(\.id) == wanted.map(\.id))
      // Views of the room were live made by the same question.
      for (got, wanted) in zip(got, wanted) where !wanted.isView { #expect(got.data == wanted.data) }
    }
    #expect(liveOnes(chat.bob).contains { $0.name == "message.created" })

    try await chat.store.removeMember(chat.bob, from: group, by: chat.ada, at: Chatroom.start)
    try await say("while Bob is out", 202)
    _ = try await chat.store.changeGroup(group, by: chat.ada, GroupChange(name: "H"), at: Chatroom.start)
    try await chat.observed(live)
    // Events for Bob alone stay, the last of them about his removal; none of the room's events are left.
    let own = live.value.filter { $0.audience == .user(chat.bob) || $0.audience == .everyone }
    #expect(try await replayed(chat.bob).map(\.id) == own.map(\.id))
    #expect(own.last?.name == "room.removed" && liveOnes(chat.bob).last?.name == "room.removed")

    _ = try await chat.store.setMember(chat.bob, in: group, role: nil, by: chat.ada, at: Chatroom.start)
    try await say("when Bob is back", 203)
    try await chat.observed(live)
    let texts = try await replayed(chat.bob).filter { $0.name == "message.created" }
    #expect(texts.count == 1 && String(decoding: texts[0].data, as: UTF8.self).contains("when Bob is back"))
    chat.store.close()
  }

  @Test("a reader gets events for everyone, for themselves and for their rooms; the page says how far it has read")
  func audience() async throws {
    let chat = try await Chatroom()
    try await chat.store.changeView(of: chat.room, for: chat.ada, RoomViewChange(draft: "Ada's"))
    try await chat.send(3)
    _ = try await chat.store.changeProfile(of: chat.eve, ProfileChange(firstName: "Eva", lastName: ""))
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

  @Test("the oldest events are trimmed step by step; a reader that was away longer has to load its state again")
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

  @Test("a page of the log ends at 256 KiB, so that no event loop reads megabytes at once", .shows("control 21"))
  func pagesEnd() async throws {
    let chat = try await Chatroom()
    let start = try await chat.store.lastEventID()
    for number: UInt64 in 1...20 {
      _ = try await chat.store.append(chat.message(number, String(repeating: "😀", count: 10_000)))
    }
    var (position, pages, hasMore) = (start, [Int](), true)
    while hasMore {
      let page = try await chat.store.events(after: position, for: chat.bob, limit: 200)
      #expect(page.events.map(\.data.count).reduce(0, +) <= PageRules.bytes)
      #expect(page.readTo == page.events.last?.id)
      pages.append(page.events.count)
      (position, hasMore) = (page.readTo, page.hasMore)
    }
    #expect(pages == [6, 6, 6, 2])
  }

  @Test(
    "a change of a room is one event, however many are in, and each is told their own view of it", .shows("control 6"))
  func oneEvent() async throws {
    let chat = try await Chatroom()
    let group: RoomID = id(50)
    func events() async throws -> Int {
      try await chat.store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM events") ?? 0 }
    }
    var before = try await events()
    _ = try await chat.store.createGroup(
      NewGroup(
        id: group, makerID: chat.ada, name: "G", topic: "T", memberIDs: [chat.bob, chat.eve], createdAt: Chatroom.start)
    )
    #expect(try await events() == before + 1)
    try await chat.store.changeView(of: group, for: chat.bob, RoomViewChange(isMuted: true, draft: "for me alone"))
    before = try await events()
    let start = try await chat.store.lastEventID()
    _ = try await chat.store.changeGroup(group, by: chat.ada, GroupChange(name: "H"), at: Chatroom.start)
    let picture = PictureID(digest: [UInt8](repeating: 7, count: 32))
    _ = try await chat.store.setPicture(
      Picture(id: picture, mediaType: "image/png", bytes: [1]), of: group, by: chat.ada, at: Chatroom.start)
    // One for the room, and one for the line in its log.
    #expect(try await events() == before + 4)

    #expect(
      try await chat.told(chat.bob, after: start).map(\.name)
        == ["room.updated", "room.changed", "room.updated", "room.changed"])
    let bobs = try await chat.told(chat.bob, after: start).filter { $0.name == "room.updated" }
    #expect(bobs.allSatisfy { $0.data.contains(#""muted":true"#) && $0.data.contains(#""draft":"for me alone""#) })
    // The room's own properties are those of the moment; the reader's are as of `event_id`.
    #expect(bobs.allSatisfy { $0.data.contains(#""name":"H","topic":"T""#) })
    #expect(bobs.map { $0.data.contains("/avatars/picture-") } == [false, true])
    let last = try await chat.store.lastEventID()
    #expect(bobs.allSatisfy { $0.data.hasSuffix(#""event_id":\#(last)}"#) })
    let eves = try await chat.told(chat.eve, after: start).filter { $0.name == "room.updated" }
    #expect(eves.allSatisfy { $0.data.contains(#""muted":false"#) && $0.data.contains(#""draft":"""#) })
    let made = try await chat.told(chat.eve).first { $0.name == "room.created" }
    #expect(made?.data.contains(#""name":"G""#) == true && made?.data.contains(#""role":"member""#) == true)

    try await chat.store.removeMember(chat.eve, from: group, by: chat.ada, at: Chatroom.start)
    #expect(try await chat.told(chat.eve, after: start).map(\.name) == ["room.removed"])
  }

  @Test("an id that was never issued belongs to another database: its reader has to load its state again")
  func unknownNumber() async throws {
    let chat = try await Chatroom()
    let last = try await chat.store.lastEventID()
    for id in [last + 1, EventID.max, -1, EventID.min] {
      let replay = try await chat.store.events(after: id, for: chat.ada, limit: 9)
      #expect(!replay.reachesBack && replay.readTo == last, "\(id)")
    }
  }

  @Test("an empty database is at event 0, and a completely trimmed log keeps its last id")
  func emptyLog() async throws {
    let store = try SQLiteStore(path: ":memory:")
    #expect(try await store.lastEventID() == 0)
    let chat = try await Chatroom()
    try await chat.store.pool.write { try $0.execute(sql: "DELETE FROM events") }
    #expect(try await chat.store.lastEventID() == 2)
    #expect(try await !chat.store.events(after: 1, for: chat.ada, limit: 9).reachesBack)
    #expect(try await chat.store.events(after: 2, for: chat.ada, limit: 9).reachesBack)
  }

  @Test("a replay uses indexes and never scans other people's events")
  func queryPlan() async throws {
    let chat = try await Chatroom()
    let plan = try await chat.store.pool.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + Database.eventsOfReader, arguments: [0, 1, 10]
      ).map { $0["detail"] as String }
    }
    // Scanning subqueries that stop at the limit is fine; scanning tables is not.
    let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("SUBQUERY") && !$0.contains("(subquery") }
    #expect(scans.allSatisfy { $0 == "SCAN found" }, "\(plan)")
    for index in ["events_for_everyone", "events_by_reader", "events_by_room", "memberships_by_member"] {
      #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.contains(index) }, "\(index): \(plan)")
    }
  }
}
