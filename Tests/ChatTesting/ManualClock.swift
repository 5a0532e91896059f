import Chat
import Synchronization

/// A clock that stands still until the test advances it.
package final class ManualClock: ChatClock {
  private struct Timer {
    let number: Int
    let due: Duration
    let work: @Sendable () -> Void
  }

  private struct Observer {
    let due: Duration
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Timestamp(milliseconds: 1_790_000_000_000)
    var monotonic = Duration.seconds(1000)
    var timers: [Timer] = []
    var observers: [Observer] = []
    var count = 0

    mutating func move(to moment: Duration) {
      let (seconds, attoseconds) = (moment - monotonic).components
      now = Timestamp(milliseconds: now.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
      monotonic = moment
    }
  }

  private struct Scheduled: ScheduledWork {
    let clock: ManualClock
    let number: Int

    func cancel() { clock.state.withLock { state in state.timers.removeAll { $0.number == number } } }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Timestamp { state.withLock { $0.now } }
  package var monotonic: Duration { state.withLock { $0.monotonic } }

  /// How many timers are pending.
  package var waiting: Int { state.withLock { $0.timers.count } }

  /// Runs `work` at once if it is due already.
  @discardableResult
  package func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
    guard delay > .zero else {
      work()
      return Scheduled(clock: self, number: 0)
    }
    let (number, met) = state.withLock { state in
      state.count += 1
      let due = state.monotonic + delay
      state.timers.append(Timer(number: state.count, due: due, work: work))
      let met = state.observers.filter { $0.due == due }
      state.observers.removeAll { $0.due == due }
      return (state.count, met)
    }
    for observer in met { observer.continuation.resume() }
    return Scheduled(clock: self, number: number)
  }

  /// Returns once a timer is pending that fires in exactly `delay`.
  package func waits(for delay: Duration) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        let due = state.monotonic + delay
        if state.timers.contains(where: { $0.due == due }) { return true }
        state.observers.append(Observer(due: due, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  /// Advances both times and runs the timers that are due, in order.
  package func advance(by duration: Duration) {
    let end = monotonic + duration
    while let timer = takeTimer(dueBy: end) { timer.work() }
    state.withLock { $0.move(to: end) }
  }

  /// Sets the civil time, as an operator or NTP may; monotonic time does not change.
  package func setCivilTime(_ time: Timestamp) { state.withLock { $0.now = time } }

  private func takeTimer(dueBy end: Duration) -> Timer? {
    state.withLock { state in
      guard let next = state.timers.min(by: { ($0.due, $0.number) < ($1.due, $1.number) }), next.due <= end else {
        return nil
      }
      state.move(to: next.due)
      state.timers.removeAll { $0.number == next.number }
      return next
    }
  }
}
