import Glibc

/// A moment of the clock that neither jumps nor runs backwards when somebody sets the time of day.
public struct MonotonicTime: Comparable, Hashable, Sendable {
  /// Nanoseconds since an arbitrary moment, the system's start on Linux.
  public let nanoseconds: Int64

  /// The moment `nanoseconds` after the clock's arbitrary start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The present moment, from the system (`EventLoop.now` is cheaper).
  public static func now() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Whether `left` came first.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `duration` later; a duration past the clock's range gives its last moment.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    // One division of 128 bits; `components` would do several, in a function of the library, for each request.
    let nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
    let (sum, isPastTheEnd) = time.nanoseconds.addingReportingOverflow(nanoseconds)
    return MonotonicTime(nanoseconds: isPastTheEnd ? .max : sum)
  }

  /// The time that passed from `right` to `left`.
  public static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }
}
