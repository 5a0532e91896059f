import Chat
import Synchronization
import TestSupport
@testable import ChatTesting

/// A lane and executor whose jobs wait until the test runs them, one by one, so that a test controls the interleaving.
final class ManualLane: Lane, TaskExecutor {
  private enum Work: Sendable {
    case closure(@Sendable () -> Void)
    case job(UnownedJob)
  }

  private struct State {
    var waiting: [Work] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  var isIdle: Bool { state.withLock { $0.waiting.isEmpty } }

  func run(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(.closure(work)) }
  }

  func start(_ work: @escaping @Sendable () async -> Void) {
    Task(executorPreference: self) { await work() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.waiting.append(.job(job)) }
  }

  func assertCurrent() {
    precondition(state.withLock { $0.isRunning }, "not on the lane")
  }

  /// Runs the next job; returns false if there is none.
  @discardableResult
  func step() -> Bool {
    let next = state.withLock { state -> Work? in
      guard !state.waiting.isEmpty else { return nil }
      state.isRunning = true
      return state.waiting.removeFirst()
    }
    guard let next else { return false }
    switch next {
    case .closure(let work): work()
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    }
    state.withLock { $0.isRunning = false }
    return true
  }

  /// Runs jobs until none is left.
  func drain() {
    while step() {}
  }

  /// Runs an asynchronous operation on the lane to completion; it must depend on nothing but the lane.
  func perform<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Box<Result<Value, any Error>?>(nil)
    Task(executorPreference: self) {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
      result.value = outcome
    }
    drain()
    guard let outcome = result.value else { throw StillWaiting() }
    return try outcome.get()
  }
}

/// The operation waits for something other than the lane.
struct StillWaiting: Error {}
