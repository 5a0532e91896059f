import Chat
import Synchronization
@testable import ChatTesting

/// A lane and executor whose work waits until the test takes it up, piece by piece: so a test owns the interleaving.
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

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.waiting.append(.job(job)) }
  }

  func assertCurrent() {
    precondition(state.withLock { $0.isRunning }, "not on the lane")
  }

  /// Does the next piece of work; false if there is none.
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

  /// Works until nothing waits.
  func drain() {
    while step() {}
  }

  /// Runs an asynchronous operation on the lane to its end, which must not depend on anything but the lane.
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

/// The operation waits for something that the lane does not bring.
struct StillWaiting: Error {}
