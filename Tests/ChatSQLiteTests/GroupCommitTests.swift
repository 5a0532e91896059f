import Chat
import Dispatch
import GRDB
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Group commit", .timeLimit(.minutes(1)))
struct GroupCommitTests {
  @Test("writes that arrive during a commit share the next; acknowledged only after it")
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

  @Test("one write that fails leaves the others of its commit, and takes no number and no event with it")
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
      // Fails by a constraint of the schema, after its person was stored.
      queued {
        _ = try await chat.store.createAccount(
          NewAccount(
            id: chat.ada, email: "new@example.org", passwordHash: "", firstName: "N", lastName: "",
            createdAt: Chatroom.start))
        return 0
      },
      // Fails after the room's room.created was logged.
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

  @Test("those who wait are resumed before the observer is called")
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

  @Test("a queue that is full refuses at once, and serves again once it has drained")
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

  @Test("a commit that fails acknowledges nothing of its batch, tells nobody, and the next goes on")
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

  @Test("after a synchronisation that failed nothing is acknowledged any more; reads go on (SECURITY 19)")
  func lostDurability() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    gate.failure.value = DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)
    await expectUnavailable { _ = try await chat.store.append(chat.message(1)) }
    gate.failure.value = nil
    await expectUnavailable { _ = try await chat.store.append(chat.message(1)) }
    #expect(try await chat.room(of: chat.ada).lastSeq == 0)
  }

  @Test("close waits for what is queued, refuses what comes later, and may be called again")
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
    let thread = Task.detached {
      closing.value = true
      chat.store.close()
      closed.value = true
    }
    while !closing.value { await Task.yield() }
    #expect(!closed.value)
    gate.open()
    await thread.value
    for (index, write) in writes.enumerated() { #expect(try await write.value == index + 1) }
    await expectUnavailable { _ = try await chat.store.append(chat.message(9)) }
    await expectUnavailable { _ = try await chat.store.room(chat.room, for: chat.ada) }
    await expectUnavailable { _ = try await chat.store.members(of: chat.room, for: chat.ada) }
    chat.store.close()
    #expect(try await Chatroom(path: folder.database).room(of: chat.ada).lastSeq == 3)
  }

  @Test("close within the observer, on the writer's own thread, does not wait for itself")
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
      _ = try transaction.rename(user, firstName: "Nobody", lastName: "")
      throw ChatError.forbidden("No.")
    }
  }
}

/// Expects `.unavailable`, whatever its words.
func expectUnavailable(_ body: () async throws -> Void) async {
  do {
    try await body()
    Issue.record("It was available.")
  } catch ChatError.unavailable {
  } catch {
    Issue.record(error)
  }
}
