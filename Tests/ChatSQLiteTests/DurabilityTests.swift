import Chat
import Foundation
import GRDB
import GRDBSQLite
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Durability", .timeLimit(.minutes(10)))
struct DurabilityTests {
  @Test("the writer synchronises every commit and uses a WAL", .shows("control 17"))
  func pragmas() async throws {
    let chat = try await Chatroom()
    let found = try await chat.store.pool.writeWithoutTransaction { database in
      try ["synchronous", "secure_delete", "foreign_keys"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
    }
    #expect(found == [2, 1, 1])
    let mode = try await chat.store.pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    #expect(mode == "wal")
  }

  @Test("the data uses SQLite's own VFS, and the WAL contains only committed data")
  func nothingBelow() async throws {
    let chat = try await Chatroom()
    let name = sqlite3_vfs_find(nil).map { String(cString: $0.pointee.zName) }
    #expect(name == "unix")
    let spills = try await chat.store.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA cache_spill") }
    #expect(spills == 0)
  }

  @Test("opening checkpoints what a killed program left in the WAL before any read")
  func emptyWAL() async throws {
    let folder = try TemporaryFolder()
    let killed = try TemporaryFolder()
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(5)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: killed.database + suffix)
    }
    chat.store.close()
    #expect(DataFile.size(killed.database + "-wal") > 0)
    let again = try await Chatroom(path: killed.database)
    #expect(DataFile.size(killed.database + "-wal") == 0)
    #expect(try await again.room(of: chat.bob).lastSeq == 5)
  }

  /// With SQLite's automatic checkpoints alone it grows to some 40 MB.
  @Test("the WAL is reset even if overlapping reads hold it")
  func bounded() async throws {
    let folder = try TemporaryFolder()
    var limits = StoreLimits()
    (limits.walSize, limits.leastWALSize) = (1 << 20, 1 << 20)
    let chat = try await Chatroom(path: folder.database, limits: limits)
    let ends = Box(false)
    // Long reads, each of which starts before another ends.
    let readers = (0..<limits.longReads).map { _ in
      queued {
        while !ends.value {
          try await chat.store.readElsewhere { database in
            for _ in 0..<40 { _ = try database.all("SELECT key FROM users") { $0[0] as Int64 } }
          }
        }
      }
    }
    var largest = 0
    for number in 0..<1500 {
      _ = try await chat.store.append(chat.message(UInt64(1000 + number), String(repeating: "word ", count: 600)))
      largest = max(largest, DataFile.size(folder.database + "-wal"))
    }
    ends.value = true
    for reader in readers { try await reader.value }
    #expect(largest > limits.walSize && largest < 8 * limits.walSize, "\(largest)")
    #expect(try chat.findings() == [])
  }

  @Test("with only the disk's reserve left, writes are refused except sign-in; with more space they resume")
  func reserve() async throws {
    let folder = try TemporaryFolder()
    let space = try #require(DiskSpace(at: folder.path))
    var limits = StoreLimits()
    let notices = Box<[StoreNotice]>([])
    var chat = try await Chatroom(path: folder.database, onNotice: { notice in notices.update { $0.append(notice) } })
    try await chat.send(1)
    #expect(!chat.store.refusesWrites)
    chat.store.close()
    limits.reserve = space.total
    chat = try await Chatroom(
      path: folder.database, limits: limits, onNotice: { notice in notices.update { $0.append(notice) } })
    await #expect(throws: ChatError.storageFull) { try await chat.send(1, from: 2000) }
    #expect(chat.store.refusesWrites && notices.value.contains(.writingIsRefused))
    try await chat.store.createSession(
      Session(
        id: id(1), userID: chat.ada, secretHash: [UInt8](repeating: 1, count: 32), createdAt: Chatroom.start,
        expiresAt: Chatroom.start.adding(seconds: 60), userAgent: ""))
    #expect(chat.store.refusesWrites)
    chat.store.close()
    #expect(try await Chatroom(path: folder.database).room(of: chat.ada).lastSeq == 1)
  }

  @Test("a write by another program is noticed, and invalidates everything cached in memory")
  func foreignWrite() async throws {
    let folder = try TemporaryFolder()
    let notices = Box<[StoreNotice]>([])
    let chat = try await Chatroom(path: folder.database, onNotice: { notice in notices.update { $0.append(notice) } })
    let heard = Box<[LoggedEvent]>([])
    chat.store.observeCommits { events in heard.update { $0 += events } }
    try await chat.send(2)
    #expect(notices.value == [])
    let other = try DatabaseQueue(path: folder.database)
    try await other.write { try $0.execute(sql: "DELETE FROM memberships WHERE member = 2") }
    try other.close()
    try await chat.send(1, from: 2000)
    try await chat.observed(heard)
    #expect(notices.value == [.foreignWrite])
    guard case .members(_, let readers)? = heard.value.last?.audience else { throw ChatError.notFound }
    #expect(readers == [chat.ada])
  }

  @Test("a commit takes only as many writes as it has time for; the rest go into the next")
  func limitedByTime() async throws {
    let gate = CommitGate()
    var limits = StoreLimits()
    limits.commitTime = .nanoseconds(1)
    let chat = try await Chatroom(limits: limits, gate: gate)
    gate.isClosed.value = true
    let first = queued { try await chat.store.append(chat.message(1)).message.seq }
    await gate.untilHeld()
    let before = gate.count.value
    let waiting = (2...6).map { number in
      queued { try await chat.store.append(chat.message(UInt64(number))).message.seq }
    }
    gate.open()
    #expect(try await first.value == 1)
    for (index, write) in waiting.enumerated() { #expect(try await write.value == index + 2) }
    #expect(gate.count.value - before == 5)
  }

  @Test("under load there are fewer commits than writes", .shows("control 17"))
  func fewerCommits() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    let before = gate.count.value
    try await withThrowingTaskGroup { group in
      for sender in 0..<32 {
        group.addTask {
          for index in 0..<10 {
            _ = try await chat.store.append(chat.message(UInt64(1000 + sender * 100 + index)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await chat.room(of: chat.ada).lastSeq == 320)
    #expect(gate.count.value - before < 320)
  }

  @Test("closing moves the WAL into the database; after reopening all data is there")
  func reopen() async throws {
    let folder = try TemporaryFolder()
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(5)
    try await chat.store.changeView(of: chat.room, for: chat.bob, RoomViewChange(draft: "later"))
    let told = try await chat.told(chat.bob)
    let room = try await chat.room(of: chat.bob)
    let page = try await chat.page(.newest(limit: 9), for: chat.bob)
    chat.store.close()
    let size = try? FileManager.default.attributesOfItem(atPath: folder.database + "-wal")[.size] as? Int
    #expect((size ?? 0) == 0)
    let again = try await Chatroom(path: folder.database)
    #expect(try await again.room(of: chat.bob) == room)
    #expect(try await again.page(.newest(limit: 9), for: chat.bob).messages == page.messages)
    let toldAgain = try await again.told(chat.bob)
    #expect(toldAgain.map(\.data) == told.map(\.data) && toldAgain.map(\.name) == told.map(\.name))
    #expect(try await again.store.append(chat.message(77)).message.seq == 6)
  }

  /// The copy is made on the writer's thread while a transaction is open, so it is what a power failure would leave.
  @Test("a copy of the files in the middle of a write contains every acknowledged message", .shows("H3", "control 18"))
  func copiedMidFlight() async throws {
    let folder = try TemporaryFolder()
    let copies = try TemporaryFolder()
    let gate = CommitGate()
    let chat = try await Chatroom(path: folder.database, gate: gate)
    let acknowledged = Box<Set<Int>>([])
    let promised = Box<[Int: Set<Int>]>([:])
    gate.before.value = { number in
      guard number % 7 == 0 else { return }
      let known = acknowledged.value
      for suffix in ["", "-wal"] {
        let target = "\(copies.path)/\(number).sqlite\(suffix)"
        do {
          try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: target)
        } catch {
          Issue.record(error)
        }
      }
      promised.update { $0[number] = known }
    }
    try await withThrowingTaskGroup { group in
      for sender in 0..<8 {
        group.addTask {
          for index in 0..<20 {
            let sent = try await chat.store.append(chat.message(UInt64(1000 + sender * 100 + index)))
            acknowledged.update { _ = $0.insert(sent.message.seq) }
          }
        }
      }
      try await group.waitForAll()
    }
    chat.store.close()
    #expect(promised.value.count >= 2)
    for (number, seqs) in promised.value {
      let copy = try await Chatroom(path: "\(copies.path)/\(number).sqlite")
      let page = try await copy.page(.after(seq: 0, limit: 200))
      #expect(page.messages.map(\.seq) == Array(1...max(1, page.messages.count)).prefix(page.messages.count).map { $0 })
      #expect(seqs.isSubset(of: page.messages.map(\.seq)))
      #expect(try await copy.store.append(chat.message(9999)).message.seq == page.messages.count + 1)
    }
  }

  @Test("on a full disk writes throw storageFull and reads go on; writes resume later", .shows("control 19"))
  func fullDisk() async throws {
    let chat = try await Chatroom()
    let heard = Box<[EventID]>([])
    chat.store.observeCommits { events in heard.update { $0 += events.map(\.id) } }
    try await chat.send(1)
    try await setPages("(SELECT page_count + 8 FROM pragma_page_count)", chat.store)
    var stored = 1
    var number: UInt64 = 10
    refused: while true {
      do {
        _ = try await chat.store.append(chat.message(number, String(repeating: "x", count: 9000)))
        stored += 1
        number += 1
        try #require(number < 1000)
      } catch {
        #expect(error as? ChatError == .storageFull)
        break refused
      }
    }
    #expect(try await chat.page(.newest(limit: 200)).messages.count == stored)
    #expect(try await chat.room(of: chat.bob).lastSeq == stored)
    await #expect(throws: ChatError.storageFull) {
      try await chat.store.append(chat.message(number, String(repeating: "x", count: 90_000)))
    }
    try await setPages("1000000", chat.store)
    #expect(try await chat.store.append(chat.message(number)).message.seq == stored + 1)
    chat.store.close()
    #expect(heard.value == Array(3...EventID(stored + 3)))
  }

  private func setPages(_ count: String, _ store: SQLiteStore) async throws {
    try await store.pool.writeWithoutTransaction { database in
      let pages = try Int.fetchOne(database, sql: "SELECT \(count)") ?? 0
      try database.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
  }

  @Test("a store without references closes itself and releases the lock")
  func released() async throws {
    let folder = try TemporaryFolder()
    do {
      let chat = try await Chatroom(path: folder.database)
      try await chat.send(1)
    }
    #expect(try await Chatroom(path: folder.database).room(of: id(1)).lastSeq == 1)
  }
}
