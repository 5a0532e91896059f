import Glibc

/// A time on the monotonic clock, which setting the time of day does not change.
package struct MonotonicTime: Comparable, Hashable, Sendable {
  /// Nanoseconds since an arbitrary origin; on Linux, the system's start.
  package let nanoseconds: Int64

  @inlinable
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The current time, by a system call (`EventLoop.now` is cheaper).
  package static func now() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  @inlinable
  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// `left` plus `duration`, clamped to the clock's range.
  package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    // A single 128-bit division; `components` would do several, in a library call, for each request.
    let nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
    let (sum, isPastTheEnd) = time.nanoseconds.addingReportingOverflow(nanoseconds)
    return MonotonicTime(nanoseconds: isPastTheEnd ? .max : sum)
  }

  /// The duration from `right` to `left`.
  package static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }
}
