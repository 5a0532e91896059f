import Chat
import Outbound

/// What an answer says about limits: the decision order of GitHub's documentation for 403 and 429.
struct LimitRule: Equatable {
  /// What is held, and until how many seconds after this answer.
  enum Verdict: Equatable {
    /// Not limited.
    case none
    /// The quota of this resource is used up.
    case primary(seconds: Int64)
    /// The whole credential must wait; where GitHub says no time, the wait doubles from a minute.
    case secondary(seconds: Int64?)
  }

  /// What the header fields tell of the resource, where they tell all of it.
  struct Reading: Equatable {
    let limit: Int
    let remaining: Int
    let used: Int
    /// Seconds from this answer until the period ends.
    let secondsLeft: Int64
  }

  /// `X-RateLimit-Resource`, `core` where it is missing.
  let resource: String
  /// What the answer's own status means.
  let verdict: Verdict
  /// Seconds until the resource has quota again, where an answer of any status says that none remains.
  let exhaustedFor: Int64?
  /// What remains of the resource; nil where GitHub does not say, or the period is over.
  let reading: Reading?

  /// Judges `response`; times are measured against its own `Date`, and `now` only where it has none.
  init(_ response: TransportResponse, resource: String, message: ErrorRecord?, now: Timestamp) {
    let fields = response.fields
    let date = fields["date"].flatMap(ServerTime.parse) ?? now
    let reset = fields["x-ratelimit-reset"].flatMap { Int64($0) }
    let untilReset = reset.map { $0 - date.milliseconds / 1000 + 1 }
    let remaining = fields["x-ratelimit-remaining"].flatMap { Int($0) }
    self.resource = fields["x-ratelimit-resource"] ?? resource
    if let limit = fields["x-ratelimit-limit"].flatMap({ Int($0) }), let remaining, let untilReset, untilReset > 1 {
      // Enterprise Server and answers before 2020 have no -Used.
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
    if let seconds = fields["retry-after"].flatMap({ ServerTime.retryAfter($0, now: date) }) {
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
    // "Rate limit exceeded" without a time to wait until is how answers of 2013 looked.
    return text.contains("secondary rate") || text.contains("abuse") || text.contains("rate limit exceeded")
      || documentation_url?.hasSuffix("secondary-rate-limits") == true
  }
}
