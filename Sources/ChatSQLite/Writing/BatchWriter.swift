import Chat
import GRDB

/// Performs batches of writes, each in one transaction. Must be used on the writer's thread.
final class BatchWriter {
  /// The result of a batch.
  enum Outcome {
    /// The first writes are on disk: for each, why it was refused, or nil. There was no time for the others.
    case committed(refusals: [ChatError?], events: [LoggedEvent])
    /// Nothing is stored. These writes fail for the reason; the others may be tried again.
    case failed(ChatError, writes: Range<Int>)
  }

  private let caches: ReadCaches
  private let limits: StoreLimits
  private let indexer: SearchIndexer
  private let notice: StoreObserver
  private let commit: @Sendable (Database) throws -> Void
  private let audiences = RoomAudiences()
  private var changes: TableChanges?
  /// SQLite's count of commits by other connections.
  private var foreignCommits: Int64?
  /// The index of the write being performed, and the number that fail if the transaction fails outside of a write.
  private var current: Int?
  private var performed = 0
  /// Whether the disk has failed to make data durable. If so, nothing is written until a restart.
  private(set) var hasLostDurability = false

  init(
    caches: ReadCaches, limits: StoreLimits, indexer: SearchIndexer, notice: @escaping StoreObserver,
    commit: @escaping @Sendable (Database) throws -> Void
  ) {
    self.caches = caches
    self.limits = limits
    self.indexer = indexer
    self.notice = notice
    self.commit = commit
  }

  /// Performs a batch and commits.
  func transact(_ batch: [any QueuedWrite], on database: Database) -> Outcome {
    guard !hasLostDurability else {
      let reason = ChatError.unavailable("The disk failed to synchronise data. Check it, then restart Hubbub.")
      return .failed(reason, writes: batch.indices)
    }
    let changes = changes ?? TableChanges(of: database)
    self.changes = changes
    changes.reset()
    do {
      let (transaction, refusals) = try perform(batch, on: database)
      // Also if the commit fails, because then the state on disk is unknown.
      defer { caches.forget(changes, sessions: transaction.hasChangedSessions) }
      caches.suspend(changes)
      try commit(database)
      audiences.keep()
      indexer.marked(transaction.searchMarks, through: try transaction.lastEventID())
      return .committed(refusals: refusals, events: transaction.events)
    } catch {
      takeBack(database)
      note(error)
      return .failed(ChatError(database: error), writes: failed(by: error))
    }
  }

  /// The writes that fail with a transaction: if the disk is the reason, all that were performed, since each of them
  /// may be the cause; otherwise the one that made SQLite give up.
  private func failed(by error: any Error) -> Range<Int> {
    guard let current else { return 0..<performed }
    return (error as? DatabaseError)?.isOfTheDisk == true ? 0..<current + 1 : current..<current + 1
  }

  /// The state of a batch before its commit: the transaction, and for each write why it was refused, or nil.
  private typealias Performed = (transaction: WriteTransaction, refusals: [ChatError?])

  /// Performs a batch, at first without savepoints, because with them SQLite copies every page that a write touches,
  /// for the sake of the few writes that are refused after changing something. If there is such a write, rolls back and
  /// repeats the batch with savepoints.
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
    current = nil
    performed = batch.count
    try database.run("BEGIN IMMEDIATE")
    try lookForForeignWrites(database)
    let end = ContinuousClock.now + limits.commitTime
    let transaction = WriteTransaction(database, limits: limits, audiences: audiences)
    var refusals: [ChatError?] = []
    for (index, write) in batch.enumerated() {
      current = index
      refusals.append(try attempt(write, transaction))
      if ContinuousClock.now >= end { break }
    }
    current = nil
    performed = refusals.count
    return (transaction, refusals)
  }

  private func takeBack(_ database: Database) {
    // Has no effect if SQLite has already rolled back, as it does when the disk is full.
    try? database.rollback()
    audiences.undo()
  }

  /// Only this connection may write. If another one has, clears everything cached in memory.
  private func lookForForeignWrites(_ database: Database) throws {
    let count: Int64? = try database.first("PRAGMA data_version") { $0[0] }
    defer { foreignCommits = count }
    guard let before = foreignCommits, before != count else { return }
    audiences.forgetAll()
    caches.forgetAll()
    indexer.forgetWords()
    notice(.foreignWrite)
  }

  /// A write was refused after it had changed something.
  private struct HalfDone: Error {}

  /// Performs one write. Returns why it was refused, or nil; throws `HalfDone`, or if the whole transaction is lost.
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

  /// The same in a savepoint, which is rolled back if the write is refused.
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

  /// Ends all writing once the disk has failed to make any data durable.
  func note(_ error: any Error) {
    if let error = error as? DatabaseError, error.lostDurability { hasLostDurability = true }
  }
}
