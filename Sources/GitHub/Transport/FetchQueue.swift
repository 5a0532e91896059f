import Chat
import Synchronization

/// Runs fetches, a bounded number at a time and no two starts closer than `spacing`, and shares each among all who ask
/// for the same key meanwhile.
///
/// A fetch whose last waiter was cancelled before it started leaves the queue. One that has started runs to its end in a
/// task of its own, which no waiter's cancellation reaches.
final class FetchQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Fetch = @Sendable () async -> Value

  private struct Job {
    let fetch: Fetch
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    var hasStarted = false
  }

  private struct State {
    var jobs: [Key: Job] = [:]
    /// Keys of the jobs that have not started, first come first.
    var order: [Key] = []
    var running = 0
    var lastTicket = 0
    var earliestStart = Duration.zero
    var isTimerSet = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let spacing: Duration
  private let clock: any ChatClock

  /// A queue that runs at most `limit` fetches at once.
  init(limit: Int, spacing: Duration = .zero, clock: any ChatClock) {
    self.limit = limit
    self.spacing = spacing
    self.clock = clock
  }

  /// What `fetch` gives, or what the fetch under way for the same key gives. Throws only `CancellationError`, at once.
  func value(for key: Key, fetch: @escaping Fetch) async throws -> Value {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isJoined = state.withLock { state in
          // Looked at under the lock: a cancellation after this finds the waiter in the table.
          guard !Task.isCancelled else { return false }
          if state.jobs[key] == nil {
            state.jobs[key] = Job(fetch: fetch)
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
      if let job = state.jobs[key], job.waiters.isEmpty, !job.hasStarted {
        state.jobs[key] = nil
        state.order.removeAll { $0 == key }
      }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func startWhatMay() {
    while let (key, fetch) = next() {
      Task.detached { [self] in finish(key, with: await fetch()) }
    }
  }

  /// Takes the next job that may start now; sets a timer where only time is missing.
  private func next() -> (Key, Fetch)? {
    state.withLock { state in
      guard state.running < limit, let key = state.order.first, let job = state.jobs[key] else { return nil }
      let now = clock.monotonic
      if spacing > .zero, now < state.earliestStart {
        if !state.isTimerSet {
          state.isTimerSet = true
          clock.after(state.earliestStart - now) { [weak self] in self?.timerFired() }
        }
        return nil
      }
      state.order.removeFirst()
      state.jobs[key]?.hasStarted = true
      state.running += 1
      state.earliestStart = now + spacing
      return (key, job.fetch)
    }
  }

  private func timerFired() {
    state.withLock { $0.isTimerSet = false }
    startWhatMay()
  }

  private func finish(_ key: Key, with value: Value) {
    let waiters = state.withLock { state in
      state.running -= 1
      return state.jobs.removeValue(forKey: key)?.waiters ?? [:]
    }
    for waiter in waiters.values { waiter.resume(returning: value) }
    startWhatMay()
  }
}
