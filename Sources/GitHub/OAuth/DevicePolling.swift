import Chat

/// Schedules the device flow's polling (RFC 8628 section 3.5). Polls slightly less often than GitHub asks, because
/// clocks of virtual machines run fast and would otherwise trigger `slow_down` again and again. Never polls after the
/// codes have expired.
struct DevicePolling {
  private let end: Duration
  private var interval: Duration
  private var isSlowed = false
  /// The earliest time of the next poll, whatever the interval.
  private var earliest = Duration.zero

  /// The schedule for codes issued at `began`, in monotonic time.
  init(_ device: DeviceAuthorization, began: Duration) {
    end = began + device.lifetime
    interval = device.interval
  }

  /// How long to wait before the next poll, at most until the codes expire.
  func wait(at now: Duration) -> Duration { min(max(interval * (isSlowed ? 7 : 6) / 5, earliest - now), end - now) }

  /// Whether the codes have expired.
  func isOver(at now: Duration) -> Bool { now >= end }

  /// Handles `slow_down`: uses the interval given, or adds five seconds, for the rest of the flow.
  mutating func slowDown(to told: Duration?) {
    interval = max(told ?? .zero, interval + .seconds(5))
    isSlowed = true
  }

  /// Handles a failed poll: doubles the interval, and waits until a rate limit's reset.
  mutating func missed(_ failure: DirectoryFailure, at monotonic: Duration, now: Timestamp) {
    interval = min(interval * 2, .seconds(60))
    if case .rateLimited(let resetAt?) = failure.kind {
      earliest = monotonic + .milliseconds(max(0, resetAt.milliseconds - now.milliseconds))
    }
  }
}
