import Chat
import Foundation
import GRDB

/// The one thread that writes. It takes all writes that wait, performs them in one transaction, commits, and only then
/// resumes those who wait: while one commit is being synchronised to the disk the next one gathers. A write that is refused
/// takes only its own changes back.
///
/// `@unchecked`: `condition` protects every field below it that is not constant; `hasLostDurability`,
/// `audiences` and `searchTerms` are the thread's own.
final class GroupCommit: @unchecked Sendable {
  private let pool: DatabasePool
  private let presence: any PresenceReading
  private let sessions: SessionCache
  private let limits: StoreLimits
  private let commit: @Sendable (Database) throws -> Void

  private let condition = NSCondition()
  private var waiting: [any QueuedWrite] = []
  private var observer: (@Sendable ([LoggedEvent]) -> Void)?
  private var isStopping = false
  private var hasStopped = false
  private var thread: Thread?
  private var counted = WriteStatistics()

  private var hasLostDurability = false
  private let audiences = RoomAudiences()
  private let searchTerms = KnownTerms()

  /// Starts the thread. `commit` ends a transaction; tests let it fail.
  init(
    pool: DatabasePool, presence: any PresenceReading, sessions: SessionCache, limits: StoreLimits,
    commit: @escaping @Sendable (Database) throws -> Void
  ) {
    self.pool = pool
    self.presence = presence
    self.sessions = sessions
    self.limits = limits
    self.commit = commit
    let thread = Thread { [self] in run() }
    thread.name = "hubbub-writer"
    self.thread = thread
    thread.start()
  }

  /// Calls `observer` after each commit that logged events, on the writer's thread.
  func observe(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void) {
    condition.withLock { self.observer = observer }
  }

  /// What was done so far. Callable from any thread.
  var statistics: WriteStatistics {
    condition.withLock {
      var statistics = counted
      statistics.waiting = waiting.count
      return statistics
    }
  }

  /// Queues a write and returns its result once it is on disk.
  func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit(PendingWrite(continuation: continuation, body: body))
    }
  }

  /// Ends the thread once all that was queued is written; writes that come later are refused. Blocks until then.
  func stop() {
    condition.lock()
    isStopping = true
    condition.broadcast()
    // The last owner may go on the writer's own thread, which cannot wait for itself.
    while !hasStopped && Thread.current != thread { condition.wait() }
    condition.unlock()
  }

  private func submit(_ write: any QueuedWrite) {
    let refusal: ChatError? = condition.withLock {
      if isStopping { return .unavailable("The store is closed.") }
      if waiting.count >= limits.waitingWrites { return .unavailable("Too many writes are waiting.") }
      waiting.append(write)
      condition.broadcast()
      return nil
    }
    if let refusal { write.fail(refusal) }
  }

  // MARK: On the writer's thread

  private func run() {
    while let batch = nextBatch() { process(batch) }
    condition.withLock {
      hasStopped = true
      condition.broadcast()
    }
  }

  /// Waits for writes; nil when the end has come and none are left.
  private func nextBatch() -> [any QueuedWrite]? {
    condition.withLock {
      while waiting.isEmpty && !isStopping { condition.wait() }
      guard !waiting.isEmpty else { return nil }
      let batch = Array(waiting.prefix(limits.writesPerCommit))
      waiting.removeFirst(batch.count)
      return batch
    }
  }

  private func process(_ batch: [any QueuedWrite]) {
    let began = ContinuousClock.now
    let outcome = pool.writeWithoutTransaction { transact(batch, on: $0) }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    switch outcome {
    case .success(let committed):
      condition.withLock { counted.count(batch: batch.count, events: committed.events.count, seconds: seconds) }
      for (write, refusal) in zip(batch, committed.refusals) {
        if let refusal { write.fail(refusal) } else { write.succeed() }
      }
      guard !committed.events.isEmpty else { return }
      condition.withLock { observer }?(committed.events)
      trimLog()
    case .failure(let reason):
      condition.withLock { counted.failures += 1 }
      for write in batch { write.fail(reason) }
    }
  }

  /// What a commit made of its batch: for each write why it was refused, or nil; and the events of all.
  private typealias Committed = (refusals: [ChatError?], events: [LoggedEvent])

  /// One transaction for the batch; fails when nothing at all was stored.
  private func transact(_ batch: [any QueuedWrite], on database: Database) -> Result<Committed, ChatError> {
    guard !hasLostDurability else {
      return .failure(.unavailable("The disk failed to keep data. Check it, then restart Hubbub."))
    }
    do {
      let (transaction, refusals) = try perform(batch, on: database)
      try transaction.updateSearchIndex()
      // Also where the commit fails: nobody can say then what is on the disk.
      defer { if transaction.hasChangedSessions { sessions.forgetAll() } }
      try commit(database)
      audiences.keep()
      searchTerms.keep()
      return .success((refusals, transaction.events))
    } catch {
      takeBack(database)
      note(error)
      return .failure(ChatError(database: error))
    }
  }

  /// What a batch has done before its commit: the transaction under way, and for each write why it was refused, or nil.
  private typealias Performed = (transaction: WriteTransaction, refusals: [ChatError?])

  /// Performs a batch, at first without savepoints: with them SQLite keeps a copy of every page that a write touches,
  /// for the few writes that are refused after they have changed something. Where there is one of these, all is taken
  /// back and done again with savepoints.
  private func perform(_ batch: [any QueuedWrite], on database: Database) throws -> Performed {
    do {
      return try perform(batch, on: database, attempt: attempt)
    } catch is HalfDone {
      takeBack(database)
      return try perform(batch, on: database, attempt: attemptInSavepoint)
    }
  }

  private func perform(
    _ batch: [any QueuedWrite], on database: Database,
    attempt: (any QueuedWrite, WriteTransaction) throws -> ChatError?
  ) throws -> Performed {
    try database.run("BEGIN IMMEDIATE")
    let transaction = WriteTransaction(
      database, presence: presence, limits: limits, audiences: audiences, searchTerms: searchTerms)
    return (transaction, try batch.map { try attempt($0, transaction) })
  }

  private func takeBack(_ database: Database) {
    // It does nothing where SQLite has rolled back by itself, as it does when the disk is full.
    try? database.rollback()
    audiences.undo()
    searchTerms.undo()
  }

  /// A write was refused after it had changed something.
  private struct HalfDone: Error {}

  /// Performs one write. Returns why it was refused, or nil; throws `HalfDone`, or when the whole transaction is lost.
  private func attempt(_ write: any QueuedWrite, in transaction: WriteTransaction) throws -> ChatError? {
    let database = transaction.database
    let (mark, changes) = (transaction.mark, database.totalChangesCount)
    do {
      try write.perform(in: transaction)
      return nil
    } catch {
      if endsTransaction(error, database) { throw error }
      guard database.totalChangesCount == changes else { throw HalfDone() }
      transaction.forget(after: mark)
      return ChatError(database: error)
    }
  }

  /// The same in a savepoint, to which a write that is refused goes back.
  private func attemptInSavepoint(_ write: any QueuedWrite, in transaction: WriteTransaction) throws -> ChatError? {
    let database = transaction.database
    let mark = transaction.mark
    try database.run("SAVEPOINT one_write")
    do {
      try write.perform(in: transaction)
      try database.run("RELEASE SAVEPOINT one_write")
      return nil
    } catch {
      if endsTransaction(error, database) { throw error }
      try database.run("ROLLBACK TO SAVEPOINT one_write")
      try database.run("RELEASE SAVEPOINT one_write")
      transaction.forget(after: mark)
      return ChatError(database: error)
    }
  }

  private func endsTransaction(_ error: any Error, _ database: Database) -> Bool {
    !database.isInsideTransaction || (error as? DatabaseError)?.spares == false
  }

  /// Takes one step of the oldest events out once there are that many too many, in a transaction of its own: nobody
  /// waits for it, and its failure (a full disk) is nobody's loss; the next commit tries again.
  private func trimLog() {
    do {
      try pool.writeWithoutTransaction { try $0.trimEvents(keeping: limits.keptEvents, step: limits.trimmedAtOnce) }
    } catch {
      note(error)
    }
  }

  /// Ends all writing once the disk has failed to make data durable, whoever's data it was (SECURITY 19).
  private func note(_ error: any Error) {
    if let error = error as? DatabaseError, error.lostDurability { hasLostDurability = true }
  }
}
