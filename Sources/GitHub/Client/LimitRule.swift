import Chat
import HTTP
import Outbound

/// What a response says about rate limits. Follows the order of checks that GitHub documents for 403 and 429.
struct LimitRule: Equatable {
  /// Which limit was hit, and for how many seconds after this response.
  enum Verdict: Equatable {
    /// Not limited.
    case none
    /// The resource's quota is used up.
    case primary(seconds: Int64)
    /// The whole credential must wait. If GitHub gives no time, the wait starts at one minute and doubles.
    case secondary(seconds: Int64?)
  }

  /// The quota in the header fields; present only if all of them are.
  struct Reading: Equatable {
    let limit: Int
    let remaining: Int
    let used: Int
    /// Seconds from this response to the reset.
    let secondsLeft: Int64
  }

  /// `X-RateLimit-Resource`; `core` if it is missing.
  let resource: String
  /// The limit that the response's status reports.
  let verdict: Verdict
  /// Seconds until the reset, if a response of any status reports a remaining quota of 0.
  let exhaustedFor: Int64?
  /// The resource's remaining quota; nil if GitHub does not report it or the reset has passed.
  let reading: Reading?

  /// Evaluates `response`. Times are relative to its own `Date`, and to `now` only if that is missing.
  init(_ response: TransportResponse, resource: String, message: ErrorRecord?, now: Timestamp) {
    let fields = response.fields
    let date = response.date ?? HTTPDate(seconds: Int(now.milliseconds / 1000))
    let reset = fields["x-ratelimit-reset"].flatMap { Int64($0) }
    let untilReset = reset.map { $0 - Int64(date.seconds) + 1 }
    let remaining = fields["x-ratelimit-remaining"].flatMap { Int($0) }
    self.resource = fields["x-ratelimit-resource"] ?? resource
    if let limit = fields["x-ratelimit-limit"].flatMap({ Int($0) }), let remaining, let untilReset, untilReset > 1 {
      // Enterprise Server, and responses before 2020, lack X-RateLimit-Used.
      let used = fields["x-ratelimit-used"].flatMap { Int($0) } ?? max(0, limit - remaining)
      reading = Reading(limit: limit, remaining: remaining, used: used, secondsLeft: min(untilReset, 86_400))
    } else {
      reading = nil
    }
    exhaustedFor = remaining == 0 ? untilReset.flatMap { $0 > 1 ? min($0, 86_400) : nil } : nil
    guard response.status == 403 || response.status == 429 else {
      verdict = .none
      return
    }
    if let seconds = response.retryAfter(now: date) {
      verdict = .secondary(seconds: min(seconds, 86_400))
    } else if let exhaustedFor {
      verdict = .primary(seconds: exhaustedFor)
    } else if response.status == 429 || fields["gh-limited-by"] != nil || message?.tellsOfSecondaryLimit == true {
      verdict = .secondary(seconds: nil)
    } else {
      verdict = .none
    }
  }
}

extension ErrorRecord {
  fileprivate var tellsOfSecondaryLimit: Bool {
    let text = message?.lowercased() ?? ""
    // Responses from 2013 said "Rate limit exceeded" without a reset time.
    return text.contains("secondary rate") || text.contains("abuse") || text.contains("rate limit exceeded")
      || documentation_url?.hasSuffix("secondary-rate-limits") == true
  }
}
