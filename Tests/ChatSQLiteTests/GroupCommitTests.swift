import Chat
import Dispatch
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Group commit", .timeLimit(.minutes(10)))
struct GroupCommitTests {
  @Test("writes that arrive during a commit share the next one, and are acknowledged only after it")
  func sharedCommit() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    let before = gate.count.value
    let acknowledged = Box(0)
    gate.isClosed.value = true
    let first = queued {
      let sent = try await chat.store.append(chat.message(99))
      acknowledged.update { $0 += 1 }
      return sent
    }
    await gate.untilHeld()
    let writes = (0..<20).map { number in
      queued {
        let message = try await chat.store.append(chat.message(UInt64(100 + number), "\(number)")).message
        acknowledged.update { $0 += 1 }
        return message.seq
      }
    }
    #expect(acknowledged.value == 0)
    #expect(try await chat.room(of: chat.bob).lastSeq == 0)
    gate.open()
    #expect(try await first.value.message.seq == 1)
    var seqs: [Int] = []
    for write in writes { seqs.append(try await write.value) }
    #expect(seqs == Array(2...21))
    #expect(gate.count.value - before == 2)
  }

  @Test("a failing write does not affect the others in its commit, and takes no number or event")
  func isolation() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    let heard = Box<[[EventID]]>([])
    chat.store.observeCommits { events in heard.update { $0.append(events.map(\.id)) } }
    let first = try await chat.store.lastEventID() + 1
    gate.isClosed.value = true
    let holding = queued { try await chat.store.recordLastSeen(chat.eve, at: Chatroom.start) }
    await gate.untilHeld()
    let early = queued { try await chat.store.append(chat.message(1)).message.seq }
    let late = [
      queued { try await chat.store.append(chat.message(2, replyTo: 99)).message.seq },
      // Violates a constraint of the schema after its person was stored.
      queued {
        _ = try await chat.store.createAccount(
          NewAccount(
            id: chat.ada, email: "new@example.org", passwordHash: "", firstName: "N", lastName: "",
            createdAt: Chatroom.start))
        return 0
      },
      // Fails after logging the room's room.created.
      queued { try await chat.store.failAfterLogging(as: chat.ada) },
      queued { try await chat.store.append(chat.message(3, by: chat.eve)).message.seq },
    ]
    let last = queued { try await chat.store.append(chat.message(4)).message.seq }
    gate.open()
    try await holding.value
    #expect(try await early.value == 1)
    for write in late { await #expect(throws: ChatError.self) { try await write.value } }
    #expect(try await last.value == 2)
    chat.store.close()
    #expect(heard.value == [[first, first + 1]])
  }

  @Test("a write that makes SQLite roll back fails alone; the others are in the next commit")
  func damagedPage() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    gate.isClosed.value = true
    let holding = queued { try await chat.store.recordLastSeen(chat.eve, at: Chatroom.start) }
    await gate.untilHeld()
    let early = queued { try await chat.store.append(chat.message(1)).message.seq }
    let broken = queued {
      try await chat.store.write { _ in throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    }
    let late = queued { try await chat.store.append(chat.message(2)).message.seq }
    gate.open()
    try await holding.value
    await expectUnavailable { try await broken.value }
    #expect(try await (early.value, late.value) == (1, 2))
  }

  @Test("if the disk fails a transaction, writes not yet performed are in the next one", .shows("control 19"))
  func unreached() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    gate.isClosed.value = true
    let holding = queued { try await chat.store.recordLastSeen(chat.eve, at: Chatroom.start) }
    await gate.untilHeld()
    let early = queued { try await chat.store.append(chat.message(1)).message.seq }
    let full = queued { try await chat.store.write { _ in throw DatabaseError(resultCode: .SQLITE_FULL) } }
    let late = queued { try await chat.store.append(chat.message(2)).message.seq }
    gate.open()
    try await holding.value
    await #expect(throws: ChatError.storageFull) { try await early.value }
    await #expect(throws: ChatError.storageFull) { try await full.value }
    #expect(try await late.value == 1)
  }

  @Test("a banned person's attempt to accept an invitation is refused without performing its batch twice")
  func refusedOnce() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    let group: RoomID = id(50)
    let token = [UInt8](repeating: 1, count: 32)
    _ = try await chat.store.createGroup(
      NewGroup(id: group, makerID: chat.ada, name: "Engines", memberIDs: [], createdAt: Chatroom.start))
    _ = try await chat.store.createInvitation(
      NewInvitation(id: id(60), secretHash: token, roomID: group, inviterID: chat.ada, createdAt: Chatroom.start),
      limit: 3)
    try await chat.store.ban(chat.eve, from: group, by: chat.ada, at: Chatroom.start)
    gate.isClosed.value = true
    let holding = queued { try await chat.store.recordLastSeen(chat.eve, at: Chatroom.start) }
    await gate.untilHeld()
    let performed = Box(0)
    let other = queued { try await chat.store.write { _ in performed.update { $0 += 1 } } }
    let refused = queued { try await chat.store.accept(token, by: chat.eve, at: Chatroom.start) }
    gate.open()
    try await holding.value
    try await other.value
    await #expect(throws: ChatError.forbidden("You are banned from this group.")) { try await refused.value }
    #expect(performed.value == 1)
  }

  @Test("callers are resumed before the observer is called")
  func resumedFirst() async throws {
    let chat = try await Chatroom()
    let resumed = DispatchSemaphore(value: 0)
    let inTime = Box<Bool?>(nil)
    chat.store.observeCommits { _ in
      inTime.value = resumed.wait(timeout: .now() + 20) == .success
    }
    _ = try await chat.store.append(chat.message(1))
    resumed.signal()
    chat.store.close()
    #expect(inTime.value == true)
  }

  @Test("people take turns: the writes of one do not stand before another's", .shows("control 6"))
  func turns() async throws {
    let gate = CommitGate()
    var limits = StoreLimits()
    limits.writesPerCommit = 4
    limits.commitTime = .nanoseconds(1)
    let chat = try await Chatroom(limits: limits, gate: gate)
    gate.isClosed.value = true
    let first = queued { try await chat.store.append(chat.message(1)).message.seq }
    await gate.untilHeld()
    func say(_ number: UInt64, by user: UserID) -> Task<Int, any Error> {
      Asker.$current.withValue(user) {
        queued { try await chat.store.append(chat.message(number, by: user)).message.seq }
      }
    }
    let many = (100..<120).map { say($0, by: chat.ada) }
    let one = say(200, by: chat.bob)
    gate.open()
    #expect(try await first.value == 1)
    // Each commit has time for one write, and gives back three: still nobody waits for more than one of another's.
    #expect(try await one.value == 3)
    var seqs: [Int] = []
    for write in many { seqs.append(try await write.value) }
    #expect(seqs == [2] + Array(4...22))
  }

  @Test("a full queue refuses at once, and accepts writes again after it has drained")
  func boundedQueue() async throws {
    let gate = CommitGate()
    var limits = StoreLimits()
    limits.waitingWrites = 3
    limits.writesPerCommit = 2
    let chat = try await Chatroom(limits: limits, gate: gate)
    gate.isClosed.value = true
    let first = queued { try await chat.store.append(chat.message(1)).message.seq }
    await gate.untilHeld()
    let before = gate.count.value
    let waiting = (2...4).map { number in
      queued { try await chat.store.append(chat.message(UInt64(number))).message.seq }
    }
    await expectUnavailable { _ = try await chat.store.append(chat.message(5)) }
    gate.open()
    #expect(try await first.value == 1)
    for (index, write) in waiting.enumerated() { #expect(try await write.value == index + 2) }
    #expect(gate.count.value - before == 2)
    #expect(try await chat.store.append(chat.message(5)).message.seq == 5)
  }

  @Test("a failed commit acknowledges none of its writes and publishes no events; the next one succeeds")
  func failedCommit() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    let heard = Box(0)
    chat.store.observeCommits { events in heard.update { $0 += events.count } }
    let event = try await chat.store.lastEventID()
    gate.failure.value = DatabaseError(resultCode: .SQLITE_IOERR_WRITE)
    await expectUnavailable { _ = try await chat.store.append(chat.message(1)) }
    gate.failure.value = DatabaseError(resultCode: .SQLITE_FULL)
    await #expect(throws: ChatError.storageFull) { try await chat.store.append(chat.message(1)) }
    #expect(try await chat.room(of: chat.ada).lastSeq == 0)
    #expect(try await chat.store.lastEventID() == event)
    gate.failure.value = nil
    #expect(try await chat.store.append(chat.message(1)).isNew)
    chat.store.close()
    #expect(heard.value == 1)
  }

  @Test("after a failed synchronisation no write is acknowledged any more; reads go on", .shows("control 19"))
  func lostDurability() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    gate.failure.value = DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)
    await expectUnavailable { _ = try await chat.store.append(chat.message(1)) }
    gate.failure.value = nil
    await expectUnavailable { _ = try await chat.store.append(chat.message(1)) }
    #expect(try await chat.room(of: chat.ada).lastSeq == 0)
  }

  @Test("close performs queued writes, refuses later ones, and is idempotent")
  func close() async throws {
    let gate = CommitGate()
    let folder = try TemporaryFolder()
    let chat = try await Chatroom(path: folder.database, gate: gate)
    gate.isClosed.value = true
    let writes = (1...3).map { number in
      queued { try await chat.store.append(chat.message(UInt64(number))).message.seq }
    }
    await gate.untilHeld()
    let closing = Box(false)
    let closed = Box(false)
    let (ended, end) = AsyncStream<Void>.makeStream()
    // A thread of its own: `close` blocks, and tasks share as many threads as there are processors.
    Thread.detachNewThread {
      closing.value = true
      chat.store.close()
      closed.value = true
      end.finish()
    }
    while !closing.value { await Task.yield() }
    #expect(!closed.value)
    gate.open()
    for await _ in ended {}
    for (index, write) in writes.enumerated() { #expect(try await write.value == index + 1) }
    await expectUnavailable { _ = try await chat.store.append(chat.message(9)) }
    await expectUnavailable { _ = try await chat.store.room(chat.room, for: chat.ada) }
    await expectUnavailable { _ = try await chat.store.members(of: chat.room, for: chat.ada) }
    chat.store.close()
    #expect(try await Chatroom(path: folder.database).room(of: chat.ada).lastSeq == 3)
  }

  @Test("close within the observer, on the writer's own thread, does not deadlock")
  func closeInObserver() async throws {
    let chat = try await Chatroom()
    let store = chat.store
    let (closed, report) = AsyncStream<Void>.makeStream()
    store.observeCommits { [weak store] _ in
      store?.close()
      report.finish()
    }
    _ = try await store.append(chat.message(1))
    for await _ in closed {}
    await expectUnavailable { _ = try await store.append(chat.message(2)) }
  }

  @Test("long reads leave connections free for short ones")
  func longReads() async throws {
    var limits = StoreLimits()
    limits.readers = 2
    limits.longReads = 1
    let chat = try await Chatroom(limits: limits)
    let (begun, report) = AsyncStream<Void>.makeStream()
    let goOn = DispatchSemaphore(value: 0)
    let long = (0..<4).map { _ in
      queued {
        try await chat.store.readElsewhere { _ in
          report.yield()
          goOn.wait()
        }
      }
    }
    for await _ in begun { break }
    #expect(try await chat.room(of: chat.ada).lastSeq == 0)
    for _ in long { goOn.signal() }
    for read in long { try await read.value }
  }
}

extension SQLiteStore {
  /// A write that logs an event and then fails.
  fileprivate func failAfterLogging(as user: UserID) async throws -> Int {
    try await write { transaction in
      _ = try transaction.changeProfile(of: user, ProfileChange(firstName: "Nobody", lastName: ""))
      throw ChatError.forbidden("No.")
    }
  }
}

/// Expects `.unavailable` with any message.
func expectUnavailable(_ body: () async throws -> Void) async {
  do {
    try await body()
    Issue.record("It was available.")
  } catch ChatError.unavailable {
  } catch {
    Issue.record(error)
  }
}
