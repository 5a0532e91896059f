import Chat
@testable import ChatTesting

/// A clock that stands still until the test moves it.
final class ManualClock: ChatClock {
  private struct Entry {
    let due: Duration
    let work: @Sendable () -> Void
  }

  private struct State {
    var now = Timestamp(milliseconds: 1_800_000_000_000)
    var monotonic = Duration.seconds(1000)
    var waiting: [Int: Entry] = [:]
    var count = 0
  }

  private struct Scheduled: ScheduledWork {
    let clock: ManualClock
    let number: Int

    func cancel() { clock.state.update { [number] in $0.waiting[number] = nil } }
  }

  private let state = Box(State())

  var now: Timestamp { state.value.now }
  var monotonic: Duration { state.value.monotonic }
  var waiting: Int { state.value.waiting.count }

  @discardableResult
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
    let number = state.update { state in
      state.count += 1
      state.waiting[state.count] = Entry(due: state.monotonic + delay, work: work)
      return state.count
    }
    return Scheduled(clock: self, number: number)
  }

  /// Lets time pass, doing what falls due in its order.
  func advance(by duration: Duration) {
    let end = monotonic + duration
    while let next = state.value.waiting.filter({ $0.value.due <= end }).min(by: {
      ($0.value.due, $0.key) < ($1.value.due, $1.key)
    }) {
      move(to: next.value.due)
      state.update { $0.waiting[next.key] = nil }
      next.value.work()
    }
    move(to: end)
  }

  /// Sets the civil time, as an operator or NTP may; the monotonic time does not notice.
  func setCivilTime(_ time: Timestamp) { state.update { $0.now = time } }

  private func move(to moment: Duration) {
    state.update { state in
      let (seconds, attoseconds) = (moment - state.monotonic).components
      state.now = Timestamp(
        milliseconds: state.now.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
      state.monotonic = moment
    }
  }
}
