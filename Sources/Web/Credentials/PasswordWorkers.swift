import Chat
import Dispatch
import Synchronization

/// A few threads for work that takes tens of milliseconds of processor time, with a bounded queue in front of them.
final class PasswordWorkers: Sendable {
  private struct State {
    var idle: [Int]
    var waiting: [@Sendable (Int) -> Void] = []
  }

  private let queues: [DispatchQueue]
  private let queueLimit: Int
  private let state: Mutex<State>

  /// `count` threads; at most `queueLimit` calls wait for one.
  init(count: Int, queueLimit: Int) {
    // Below the loops: while both want a processor, chat goes first.
    queues = (0..<count).map { DispatchQueue(label: "passwords-\($0)", qos: .utility) }
    self.queueLimit = queueLimit
    state = Mutex(State(idle: Array(0..<count)))
  }

  /// Runs `work` on one of the threads, first come, first served; `.unavailable` when too many wait already.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let start: @Sendable (Int) -> Void = { worker in
        self.queues[worker].async {
          continuation.resume(with: Result { try work() })
          self.finish(worker)
        }
      }
      let isRefused = state.withLock { state in
        if let worker = state.idle.popLast() {
          start(worker)
        } else if state.waiting.count < queueLimit {
          state.waiting.append(start)
        } else {
          return true
        }
        return false
      }
      if isRefused {
        continuation.resume(throwing: ChatError.unavailable("Too many people sign in at once. Try again in a moment."))
      }
    }
  }

  /// Gives the worker to who waits longest.
  private func finish(_ worker: Int) {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.idle.append(worker)
      } else {
        state.waiting.removeFirst()(worker)
      }
    }
  }
}
