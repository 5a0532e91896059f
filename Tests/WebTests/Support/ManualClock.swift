import Chat
import Synchronization

/// A clock that stands until a test moves it.
final class ManualClock: ChatClock {
  private struct Waiting {
    let id: Int
    let due: Duration
    let work: @Sendable () -> Void
  }

  private struct Observer {
    let delay: Duration
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Timestamp(milliseconds: 1_790_000_000_000)
    var monotonic = Duration.seconds(1000)
    var waiting: [Waiting] = []
    var observers: [Observer] = []
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

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
    if delay <= .zero {
      // Due already, without anybody moving the clock.
      work()
      return Cancellable(clock: self, id: 0)
    }
    let (id, observers) = state.withLock { state in
      state.lastID += 1
      let due = state.monotonic + delay
      state.waiting.append(Waiting(id: state.lastID, due: due, work: work))
      let met = state.observers.filter { $0.delay == delay }
      state.observers.removeAll { $0.delay == delay }
      return (state.lastID, met)
    }
    for observer in observers { observer.continuation.resume() }
    return Cancellable(clock: self, id: id)
  }

  /// Returns when something waits that is due in exactly `delay` from now.
  func waits(for delay: Duration) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.waiting.contains(where: { $0.due == state.monotonic + delay }) { return true }
        state.observers.append(Observer(delay: delay, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  /// Moves both times, and runs what has become due.
  func advance(milliseconds: Int64) {
    let due = state.withLock { state in
      state.now = Timestamp(milliseconds: state.now.milliseconds + milliseconds)
      state.monotonic += .milliseconds(milliseconds)
      let due = state.waiting.filter { $0.due <= state.monotonic }.sorted { $0.due < $1.due }
      state.waiting.removeAll { $0.due <= state.monotonic }
      return due
    }
    for waiting in due { waiting.work() }
  }

  /// Moves both times, and runs what has become due.
  func advance(seconds: Int64) { advance(milliseconds: seconds * 1000) }
}
