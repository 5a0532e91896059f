import Chat
import Synchronization

/// A clock that stands until a test moves it.
final class ManualClock: ChatClock {
  private struct Waiting {
    let id: Int
    let due: Duration
    let work: @Sendable () -> Void
  }

  private struct State {
    var now = Timestamp(milliseconds: 1_790_000_000_000)
    var monotonic = Duration.seconds(1000)
    var waiting: [Waiting] = []
    var lastID = 0
  }

  private struct Cancellable: ScheduledWork {
    let clock: ManualClock
    let id: Int
    func cancel() { clock.state.withLock { $0.waiting.removeAll { $0.id == id } } }
  }

  private let state = Mutex(State())

  var now: Timestamp { state.withLock { $0.now } }
  var monotonic: Duration { state.withLock { $0.monotonic } }
  /// How many wait for their time.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
    let id = state.withLock { state in
      state.lastID += 1
      state.waiting.append(Waiting(id: state.lastID, due: state.monotonic + delay, work: work))
      return state.lastID
    }
    return Cancellable(clock: self, id: id)
  }

  /// Moves both times, and runs what has become due.
  func advance(seconds: Int64) {
    let due = state.withLock { state in
      state.now = state.now.adding(seconds: seconds)
      state.monotonic += .seconds(seconds)
      let due = state.waiting.filter { $0.due <= state.monotonic }.sorted { $0.due < $1.due }
      state.waiting.removeAll { $0.due <= state.monotonic }
      return due
    }
    for waiting in due { waiting.work() }
  }

  /// Moves the civil time alone, as a person who sets the clock does.
  func set(_ time: Timestamp) { state.withLock { $0.now = time } }
}
