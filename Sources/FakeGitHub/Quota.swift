/// Rate limits and their use, counted separately for each credential and resource.
struct Quota: Sendable {
  /// The values in the response's header fields.
  struct Reading: Equatable {
    var limit: Int64
    var remaining: Int64
    var used: Int64
    var reset: Int64
    var resource: String
    /// Whether this request exceeded the limit.
    var isExceeded: Bool
  }

  private struct Window {
    var used: Int64 = 0
    var reset: Int64
  }

  private struct Bucket: Hashable {
    let credential: String
    let resource: String
  }

  private var windows: [Bucket: Window] = [:]

  /// Counts a request (`cost` 0 for a free 304) and returns the state at `now`, in seconds.
  mutating func count(credential: String, resource: String, limit: Int64, cost: Int64, now: Int64) -> Reading {
    let bucket = Bucket(credential: credential, resource: resource)
    let length: Int64 = resource == "search" ? 60 : 3600
    var window = windows[bucket] ?? Window(reset: now + length)
    if window.reset <= now { window = Window(reset: now + length) }
    let isExceeded = cost > 0 && window.used + cost > limit
    if !isExceeded { window.used += cost }
    windows[bucket] = window
    return Reading(
      limit: limit, remaining: max(0, limit - window.used), used: window.used, reset: window.reset,
      resource: resource, isExceeded: isExceeded)
  }
}
