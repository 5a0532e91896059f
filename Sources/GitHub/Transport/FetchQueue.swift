import Chat
import Synchronization

/// Runs a limited number of fetches at once, with starts at least `spacing` apart. Callers that ask for the same key
/// share one fetch.
///
/// A fetch is dropped from the queue when its last waiter is cancelled. If it has started, it is cancelled, unless the
/// queue finishes started fetches.
final class FetchQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Fetch = @Sendable () async -> Value

  private struct Job {
    /// The first waiter's ticket. Identifies the job, because a cancelled fetch may end while another one for the same
    /// key runs.
    let id: Int
    let fetch: Fetch
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    /// The running fetch; nil while queued.
    var task: Task<Void, Never>?
  }

  private struct State {
    var jobs: [Key: Job] = [:]
    /// Keys of the queued jobs in FIFO order.
    var order: [Key] = []
    var running = 0
    var lastTicket = 0
    var earliestStart = Duration.zero
    var isTimerSet = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let spacing: Duration
  private let finishesStarted: Bool
  private let clock: any ChatClock

  /// A queue that runs at most `limit` fetches at once.
  ///
  /// - Parameter finishesStarted: true for fetches that store their result, which is useful even without a waiter.
  init(limit: Int, spacing: Duration = .zero, finishesStarted: Bool = false, clock: any ChatClock) {
    self.finishesStarted = finishesStarted
    self.limit = limit
    self.spacing = spacing
    self.clock = clock
  }

  /// The result of `fetch`, or of a fetch already running for the same key. Throws only `CancellationError`, at once.
  func value(for key: Key, fetch: @escaping Fetch) async throws -> Value {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isJoined = state.withLock { state in
          // Checked under the lock: a later cancellation finds the waiter in the table.
          guard !Task.isCancelled else { return false }
          if state.jobs[key] == nil {
            state.jobs[key] = Job(id: ticket, fetch: fetch)
            state.order.append(key)
          }
          state.jobs[key]?.waiters[ticket] = continuation
          return true
        }
        if isJoined { startWhatMay() } else { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      leave(key, ticket: ticket)
    }
  }

  private func leave(_ key: Key, ticket: Int) {
    let waiter = state.withLock { state in
      let waiter = state.jobs[key]?.waiters.removeValue(forKey: ticket)
      if let job = state.jobs[key], job.waiters.isEmpty, job.task == nil || !finishesStarted {
        job.task?.cancel()
        state.jobs[key] = nil
        state.order.removeAll { $0 == key }
      }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func startWhatMay() {
    while startNext() {}
  }

  /// Starts the next job; returns false if none may start now. Sets a timer if it only has to wait.
  private func startNext() -> Bool {
    state.withLock { state in
      guard state.running < limit, let key = state.order.first, let job = state.jobs[key] else { return false }
      let now = clock.monotonic
      if spacing > .zero, now < state.earliestStart {
        if !state.isTimerSet {
          state.isTimerSet = true
          clock.after(state.earliestStart - now) { [weak self] in self?.timerFired() }
        }
        return false
      }
      state.order.removeFirst()
      state.jobs[key]?.task = Task.detached { [self] in finish(key, job.id, with: await job.fetch()) }
      state.running += 1
      state.earliestStart = now + spacing
      return true
    }
  }

  private func timerFired() {
    state.withLock { $0.isTimerSet = false }
    startWhatMay()
  }

  private func finish(_ key: Key, _ id: Int, with value: Value) {
    let waiters = state.withLock { state in
      state.running -= 1
      return state.jobs[key]?.id == id ? state.jobs.removeValue(forKey: key)?.waiters ?? [:] : [:]
    }
    for waiter in waiters.values { waiter.resume(returning: value) }
    startWhatMay()
  }
}
