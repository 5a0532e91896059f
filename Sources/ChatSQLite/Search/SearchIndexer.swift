import Chat
import Foundation
import GRDB
import Synchronization

/// Keeps the search index up to date after writes: processes marks on the writer's thread, in portions with a
/// transaction each. A portion that fails delays search, never a write.
///
/// `turn` and `due` must be called on the writer's thread; everything else is callable from any thread.
final class SearchIndexer: Sendable {
  private struct State {
    /// The newest event of a commit that left marks.
    var marked: EventID = 0
    /// The event up to which all marks are processed.
    var indexed: EventID = -1
    /// When the oldest mark was made; nil if there is none.
    var since: ContinuousClock.Instant?
    /// The number of marks made since there was none.
    var count = 0
    /// The newest event of each person who made some of them.
    var markedBy: [UserID: EventID] = [:]
    var waiting: [Waiter] = []
    /// The earliest time of the next try after a failure.
    var retryAt: ContinuousClock.Instant?
    /// The number of consecutive failures.
    var failures = 0
    /// Whether there may be segments to merge.
    var canMerge = false
    /// The number of portions of marks since segments were merged.
    var unmerged = 0
  }

  private let limits: StoreLimits
  private let notice: StoreObserver
  private let state: Mutex<State>
  private let wake: @Sendable () -> Void
  private let known = KnownTerms()

  /// `wake` makes the writer's thread call `due` again. Marks of an earlier run may exist.
  init(limits: StoreLimits, notice: @escaping StoreObserver, wake: @escaping @Sendable () -> Void) {
    self.limits = limits
    self.notice = notice
    self.wake = wake
    state = Mutex(State(since: .now))
  }

  /// Records the marks of a commit; `event` is its newest event.
  func marked(_ marks: [UserID: Int], through event: EventID) {
    guard !marks.isEmpty else { return }
    state.withLock { state in
      state.marked = max(state.marked, event)
      for (user, count) in marks {
        state.count += count
        state.markedBy[user] = event
      }
      if state.since == nil { state.since = .now }
    }
  }

  /// Suspends until all current marks are processed, but no longer than `limits.searchWait`. If there are many, only
  /// those that the person made count: waiting for everybody's would delay every search.
  func catchUp(for user: UserID) async {
    let target: EventID? = state.withLock { state in
      guard state.since != nil, state.indexed < state.marked else { return nil }
      return state.count <= limits.marksAwaited
        ? state.marked : state.markedBy[user].flatMap { $0 > state.indexed ? $0 : nil }
    }
    guard let target else { return }
    await withCheckedContinuation { continuation in
      let waiter = Waiter(target: target, continuation: continuation)
      let isLate = state.withLock { state in
        if state.indexed >= target { return true }
        state.waiting.append(waiter)
        return false
      }
      if isLate { return waiter.resume() }
      wake()
      DispatchQueue.global().asyncAfter(deadline: .now() + limits.searchWait / .seconds(1)) { waiter.resume() }
    }
    state.withLock { state in state.waiting.removeAll { $0.isResumed } }
  }

  /// When the next turn is due; nil if there is nothing to do. Queued writes take precedence, unless a search waits or
  /// the marks are old.
  func due(isIdle: Bool) -> ContinuousClock.Instant? {
    state.withLock { state in
      if let retryAt = state.retryAt { return retryAt }
      guard let since = state.since else { return state.canMerge && isIdle ? .now : nil }
      if !state.waiting.isEmpty { return .now }
      return since + (isIdle ? limits.indexDelay : limits.indexDelayUnderLoad)
    }
  }

  /// Processes a portion of the marks. If there are none, or after `limits.portionsUnmerged` portions, merges segments:
  /// while marks never end, too many of them would be merged at once by FTS5. Throws only errors that end all writing.
  func turn(on database: Database) throws {
    let (target, failures, hasMarks, isDue) = state.withLock {
      ($0.marked, $0.failures, $0.since != nil, $0.unmerged >= limits.portionsUnmerged)
    }
    do {
      let (first, hasMore) = try portion(
        on: database, isSmall: failures > 0, merges: isDue || !hasMarks, hasMarks: hasMarks)
      known.keep()
      finish(indexed: first.map { $0 - 1 } ?? target, hasMore: hasMore)
    } catch {
      try? database.rollback()
      known.forgetAll()
      if let error = error as? DatabaseError, error.lostDurability { throw error }
      fail(error, on: database)
    }
  }

  /// Forgets the known words, because another program may have changed the index. Must be called on the writer's
  /// thread.
  func forgetWords() { known.forgetAll() }

  // MARK: A portion

  /// Runs one transaction. Returns the event of the first message that is still marked, and whether anything is left.
  private func portion(
    on database: Database, isSmall: Bool, merges: Bool, hasMarks: Bool
  ) throws -> (first: EventID?, hasMore: Bool) {
    try database.run("BEGIN IMMEDIATE")
    let index = SearchIndex(database: database, known: known)
    let end = ContinuousClock.now + limits.indexTime
    var (canMerge, hasMore) = (true, hasMarks)
    if merges {
      canMerge = try index.merge(pages: limits.pagesMerged)
    } else {
      hasMore = try index.workOff { isSmall || ContinuousClock.now >= end }
    }
    let first = try index.firstMarkedEvent()
    try database.run("COMMIT")
    state.withLock { state in
      state.canMerge = canMerge
      state.unmerged = merges ? 0 : state.unmerged + 1
    }
    return (first, hasMore)
  }

  private func finish(indexed: EventID, hasMore: Bool) {
    let reached = state.withLock { state in
      (state.failures, state.retryAt) = (0, nil)
      state.indexed = max(state.indexed, indexed)
      // No marks can have been made in the meantime: only this thread writes.
      if !hasMore { (state.since, state.count, state.markedBy) = (nil, 0, [:]) }
      let reached = state.waiting.filter { $0.target <= state.indexed }
      state.waiting.removeAll { $0.target <= state.indexed }
      return reached
    }
    for waiter in reached { waiter.resume() }
  }

  /// Retries later, one mark at a time. A mark that fails alone, for a reason other than the disk, is dropped.
  private func fail(_ error: any Error, on database: Database) {
    let (failures, waiting) = state.withLock { state in
      state.failures += 1
      state.retryAt = .now + min(.seconds(30), .milliseconds(100) * (1 << min(state.failures, 9)))
      defer { state.waiting = [] }
      return (state.failures, state.waiting)
    }
    for waiter in waiting { waiter.resume() }
    notice(.searchIndexFailed("\(ChatError(database: error))"))
    guard failures > 1, (error as? DatabaseError)?.isOfTheDisk != true else { return }
    try? database.inTransaction(.immediate) {
      try database.run(
        "DELETE FROM search_changed WHERE number = (SELECT number FROM search_changed ORDER BY number LIMIT 1)")
      if database.changesCount == 0 {
        try database.run(
          "DELETE FROM search_added WHERE event = (SELECT event FROM search_added ORDER BY event LIMIT 1)")
      }
      if database.changesCount == 0 { try database.run("DELETE FROM search_words") }
      return .commit
    }
  }
}

/// A search that waits for the index.
private final class Waiter: Sendable {
  let target: EventID
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(target: EventID, continuation: CheckedContinuation<Void, Never>) {
    self.target = target
    self.continuation = Mutex(continuation)
  }

  var isResumed: Bool { continuation.withLock { $0 == nil } }

  /// Resumes the search, once.
  func resume() {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume()
  }
}
