import Chat
import Dispatch
import Synchronization

/// A few threads for work that takes tens of milliseconds of CPU time, with a bounded queue.
///
/// Clients take turns: a client with many jobs waits only for itself, and delays everyone else by one job.
final class PasswordWorkers: Sendable {
  /// A job: it gets a worker to run on, or nil if it is refused.
  private typealias Work = @Sendable (_ worker: Int?) -> Void

  private struct State {
    var idle: [Int]
    var waiting: FairQueue<String, Work>
  }

  private let queues: [DispatchQueue]
  private let state: Mutex<State>

  /// `count` threads; at most `queueLimit` calls wait for one.
  init(count: Int, queueLimit: Int) {
    queues = (0..<count).map { DispatchQueue(label: "passwords-\($0)") }
    state = Mutex(State(idle: Array(0..<count), waiting: FairQueue(limit: queueLimit)))
  }

  /// Runs `work` on one of the threads when it is the turn of `client`. Throws `.unavailable` if the queue is full and
  /// this client has the most jobs in it.
  func run<Value: Sendable>(
    for client: String, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let start: Work = { worker in
        guard let worker else {
          return continuation.resume(
            throwing: ChatError.unavailable("Too many people sign in at once. Try again in a moment."))
        }
        self.queues[worker].async {
          continuation.resume(with: Result { try work() })
          self.finish(worker)
        }
      }
      let (worker, refused) = state.withLock { state -> (Int?, Work?) in
        if let worker = state.idle.popLast() { return (worker, nil) }
        return (nil, state.waiting.append(start, of: client))
      }
      if let worker { start(worker) }
      refused?(nil)
    }
  }

  /// Gives the worker to the next client.
  private func finish(_ worker: Int) {
    let next = state.withLock { state -> Work? in
      let next = state.waiting.next()?.element
      if next == nil { state.idle.append(worker) }
      return next
    }
    next?(worker)
  }
}
