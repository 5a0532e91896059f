import Chat
import Dispatch
import Foundation
import GRDB

/// The single writer thread. It takes the queued writes, performs them in one transaction, commits, and only then
/// resumes their callers; while one commit is synchronised to disk, the next one gathers. People take turns, so nobody's
/// writes wait behind all of another's. A write that is refused rolls back only its own changes. Between transactions
/// the thread updates the search index and checkpoints the WAL.
///
/// `condition` protects every mutable field below it, except that `batches`, `hasJustIndexed`, `nextTruncation` and
/// `diskIsTight` are confined to the thread.
final class GroupCommit: @unchecked Sendable {  // locked by `condition` or confined to the thread
  private let pool: DatabasePool
  private let limits: StoreLimits
  private let notice: StoreObserver
  private let batches: BatchWriter
  private let checkpointer: Checkpointer
  /// Updates the search index between writes.
  let indexer: SearchIndexer

  private let condition: NSCondition
  private var waiting: FairQueue<UserID?, any QueuedWrite>
  private var observer: (@Sendable ([LoggedEvent]) -> Void)?
  private var isStopping = false
  private var hasStopped = false
  private var thread: Thread?
  private var counted = WriteStatistics()
  /// When a timer wakes the thread, if one is set.
  private var nextWake: ContinuousClock.Instant?

  private var hasJustIndexed = false
  private var nextTruncation = ContinuousClock.now
  private var diskIsTight = false

  /// Starts the thread. `commit` commits a transaction; tests make it fail.
  init(
    pool: DatabasePool, caches: ReadCaches, limits: StoreLimits, longReads: LongReads,
    notice: @escaping StoreObserver, commit: @escaping @Sendable (Database) throws -> Void
  ) {
    self.pool = pool
    self.limits = limits
    self.notice = notice
    waiting = FairQueue(limit: limits.waitingWrites)
    let condition = NSCondition()
    self.condition = condition
    let wake: @Sendable () -> Void = { condition.withLock { condition.broadcast() } }
    checkpointer = Checkpointer(path: pool.path, limits: limits, longReads: longReads, notice: notice, wake: wake)
    indexer = SearchIndexer(limits: limits, notice: notice, wake: wake)
    batches = BatchWriter(caches: caches, limits: limits, indexer: indexer, notice: notice, commit: commit)
    let thread = Thread { [self] in run() }
    thread.name = "hubbub-writer"
    self.thread = thread
    thread.start()
  }

  /// Calls `observer` after each commit that logged events, on the writer's thread.
  func observe(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void) {
    condition.withLock { self.observer = observer }
  }

  /// The counters so far. Callable from any thread.
  var statistics: WriteStatistics {
    condition.withLock {
      var statistics = counted
      statistics.waiting = waiting.count
      return statistics
    }
  }

  /// Queues a write and returns its result once it is on disk.
  func write<Value: Sendable>(
    usesReserve: Bool = false, _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit(PendingWrite(continuation: continuation, usesReserve: usesReserve, body: body))
    }
  }

  /// Ends the thread after all queued writes; later ones are refused. Blocks until then.
  func stop() {
    condition.lock()
    isStopping = true
    condition.broadcast()
    // The last reference may be released on the writer's own thread, which cannot wait for itself.
    while !hasStopped && Thread.current != thread { condition.wait() }
    condition.unlock()
    checkpointer.close()
  }

  private func submit(_ write: any QueuedWrite) {
    let (isRefused, displaced): (Bool, (any QueuedWrite)?) = condition.withLock {
      if isStopping { return (true, nil) }
      defer { condition.broadcast() }
      return (false, waiting.append(write, of: write.asker))
    }
    if isRefused { write.fail(.unavailable("The store is closed.")) }
    displaced?.fail(.unavailable("Too many writes are waiting."))
  }

  // MARK: On the writer's thread

  private enum Turn {
    case writes([any QueuedWrite])
    case index
    case checkpoint
  }

  private func run() {
    pool.writeWithoutTransaction { checkpointer.watch($0) }
    while let turn = nextTurn() {
      switch turn {
      case .writes(let batch): process(batch)
      case .index: index()
      case .checkpoint: break
      }
      pool.writeWithoutTransaction { checkpointer.step(on: $0) }
    }
    condition.withLock {
      hasStopped = true
      condition.broadcast()
    }
  }

  /// Waits for writes, or until the search index is due; nil when the thread should end and no writes are left.
  private func nextTurn() -> Turn? {
    condition.withLock {
      while true {
        let due = batches.hasLostDurability ? nil : indexer.due(isIdle: waiting.isEmpty)
        let isDue = due.map { $0 <= .now } ?? false
        if isDue, !isStopping, !(hasJustIndexed && !waiting.isEmpty) {
          hasJustIndexed = true
          return .index
        }
        hasJustIndexed = false
        if !waiting.isEmpty {
          var batch: [any QueuedWrite] = []
          while batch.count < limits.writesPerCommit, let next = waiting.next() { batch.append(next.element) }
          return .writes(batch)
        }
        if isStopping { return nil }
        let checkpoint = checkpointer.due
        if let checkpoint, checkpoint <= .now { return .checkpoint }
        if let due = [due, checkpoint].compactMap(\.self).min() { wake(at: due) }
        condition.wait()
        if checkpoint != nil { return .checkpoint }
      }
    }
  }

  /// Wakes the thread at a monotonic time; waiting until a date would depend on civil time. Must be called under the
  /// lock.
  private func wake(at due: ContinuousClock.Instant) {
    guard nextWake.map({ due < $0 }) ?? true else { return }
    nextWake = due
    DispatchQueue.global().asyncAfter(deadline: .now() + (due - .now) / .seconds(1)) { [weak self] in
      guard let self else { return }
      condition.withLock {
        if nextWake == due { nextWake = nil }
        condition.broadcast()
      }
    }
  }

  private func index() {
    do {
      try pool.writeWithoutTransaction { try indexer.turn(on: $0) }
    } catch {
      batches.note(error)
    }
  }

  /// Performs a batch. Writes that it did not reach return to the head of the queue.
  private func process(_ batch: [any QueuedWrite]) {
    let began = ContinuousClock.now
    let batch = admitted(batch)
    guard !batch.isEmpty else { return }
    switch pool.writeWithoutTransaction({ batches.transact(batch, on: $0) }) {
    case .committed(let refusals, let events):
      let seconds = (ContinuousClock.now - began) / .seconds(1)
      let resumes = condition.withLock {
        putBack(batch[refusals.count...])
        counted.count(batch: refusals.count, events: events.count, seconds: seconds)
        guard counted.refusesWrites, batch.contains(where: { !$0.usesReserve }) else { return false }
        counted.refusesWrites = false
        return true
      }
      if resumes { notice(.writingResumes) }
      for (write, refusal) in zip(batch, refusals) {
        if let refusal { write.fail(refusal) } else { write.succeed() }
      }
      guard !events.isEmpty else { return }
      condition.withLock { observer }?(events)
      trimLog()
    case .failed(let reason, let failed):
      condition.withLock {
        counted.failures += 1
        putBack(batch[..<failed.lowerBound] + batch[failed.upperBound...])
      }
      if reason == .storageFull { refuseWrites() }
      for write in batch[failed] { write.fail(reason) }
    }
  }

  /// To be called under the lock.
  private func putBack(_ writes: ArraySlice<any QueuedWrite>) {
    waiting.putBack(writes.map { ($0.asker, $0) })
  }

  /// While only the reserve is left on the disk, refuses writes, except those that may use it.
  private func admitted(_ batch: [any QueuedWrite]) -> [any QueuedWrite] {
    guard let space = checkpointer.askSpace() else { return batch }
    if space.isTight != diskIsTight {
      diskIsTight = space.isTight
      if diskIsTight { notice(.diskIsTight(free: space.free)) }
    }
    guard space.free < limits.reserve else { return batch }
    // Truncating the WAL may free enough.
    if nextTruncation <= .now {
      nextTruncation = .now + .seconds(1)
      _ = pool.writeWithoutTransaction { checkpointer.truncate(on: $0) }
      if let space = checkpointer.askSpace(), space.free >= limits.reserve { return batch }
    }
    refuseWrites()
    for write in batch where !write.usesReserve { write.fail(.storageFull) }
    return batch.filter(\.usesReserve)
  }

  private func refuseWrites() {
    let isNew = condition.withLock {
      defer { counted.refusesWrites = true }
      return !counted.refusesWrites
    }
    if isNew { notice(.writingIsRefused) }
  }

  /// Trims one step of the oldest events once there are that many too many, in a separate transaction. Nobody waits for
  /// it, and a failure (a full disk) does no harm: the next commit tries again.
  private func trimLog() {
    do {
      try pool.writeWithoutTransaction { try $0.trimEvents(keeping: limits.keptEvents, step: limits.trimmedAtOnce) }
    } catch {
      batches.note(error)
    }
  }
}
