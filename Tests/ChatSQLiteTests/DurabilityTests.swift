import Chat
import Foundation
import GRDB
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Durability", .timeLimit(.minutes(1)))
struct DurabilityTests {
  @Test("the writer synchronises every commit and keeps a WAL (SECURITY 17)")
  func pragmas() async throws {
    let chat = try await Chatroom()
    let found = try await chat.store.pool.writeWithoutTransaction { database in
      try ["synchronous", "secure_delete", "foreign_keys"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
    }
    #expect(found == [2, 1, 1])
    let mode = try await chat.store.pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    #expect(mode == "wal")
  }

  @Test("under load there are fewer commits than writes (SECURITY 17)")
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

  @Test("closed and opened again, everything is there; the WAL has gone into the database")
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

  /// The copy is made on the writer's thread while a transaction is open, so it is what a power cut would leave.
  @Test("a copy of the files in the middle of writing holds every acknowledged message (H3, SECURITY 18)")
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

  @Test("a full disk refuses with storageFull, reads go on, and service resumes by itself (SECURITY 19)")
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

  @Test("a store nobody holds any more closes itself and gives the lock back")
  func released() async throws {
    let folder = try TemporaryFolder()
    do {
      let chat = try await Chatroom(path: folder.database)
      try await chat.send(1)
    }
    #expect(try await Chatroom(path: folder.database).room(of: id(1)).lastSeq == 1)
  }
}
