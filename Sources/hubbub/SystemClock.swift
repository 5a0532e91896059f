import Base
import Chat
import EventLoop
import Glibc

/// The system's clocks, and timers on an event loop.
struct SystemClock: ChatClock {
  let loop: EventLoop

  var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  var monotonic: Duration { .nanoseconds(MonotonicTime.now().nanoseconds) }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
    let scheduled = LoopWork()
    let deadline = MonotonicTime.now() + delay
    loop.execute { [loop] in
      _ = loop.at(deadline) { if scheduled.begin() { work() } }
    }
    return scheduled
  }
}

/// Scheduled work that any thread can cancel; the timer then fires without effect.
private final class LoopWork: ScheduledWork {
  private let isOver = Lock(false)

  /// Returns true once, to whoever may run the work.
  func begin() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }

  func cancel() { isOver.withLock { $0 = true } }
}
