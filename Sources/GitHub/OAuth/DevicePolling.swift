import Chat

/// When the device flow asks next (RFC 8628 section 3.5): a little slower than GitHub tells, since the clocks of virtual
/// machines run fast and would loop on `slow_down`; never after the codes have ended.
struct DevicePolling {
  private let end: Duration
  private var interval: Duration
  private var isSlowed = false
  /// Nothing is asked before then, whatever the interval.
  private var earliest = Duration.zero

  /// The polling for codes that were given at `began`, in the clock's monotonic time.
  init(_ device: DeviceAuthorization, began: Duration) {
    end = began + device.lifetime
    interval = device.interval
  }

  /// How long to wait before the next question: never beyond the end.
  func wait(at now: Duration) -> Duration { min(max(interval * (isSlowed ? 7 : 6) / 5, earliest - now), end - now) }

  /// Whether the codes have ended.
  func isOver(at now: Duration) -> Bool { now >= end }

  /// GitHub wants it slower, from now on for good: at the interval it tells, else by five seconds more.
  mutating func slowDown(to told: Duration?) {
    interval = max(told ?? .zero, interval + .seconds(5))
    isSlowed = true
  }

  /// GitHub did not answer: twice as slow, and not before a limit ends.
  mutating func missed(_ failure: DirectoryFailure, at monotonic: Duration, now: Timestamp) {
    interval = min(interval * 2, .seconds(60))
    if case .rateLimited(let resetAt?) = failure.kind {
      earliest = monotonic + .milliseconds(max(0, resetAt.milliseconds - now.milliseconds))
    }
  }
}
