import Chat
import Synchronization

/// The rate-limit state of one credential: until when requests must wait, for each resource and for the credential as a
/// whole.
final class RateLimits: Sendable {
  /// A wait in force.
  struct Hold: Equatable {
    /// When it ends, in monotonic time.
    let until: Duration
    /// When it ends, in civil time, for display.
    let resetAt: Timestamp
    /// Whether the quota is used up (a primary limit) rather than the request rate too high (a secondary one).
    let isPrimary: Bool
  }

  private struct State {
    var credential: Hold?
    var resources: [String: Hold] = [:]
    /// Consecutive secondary limits; the wait doubles with each.
    var strikes = 0
    /// The last reported quota of each resource, with its reset in monotonic time.
    var readings: [String: (reading: GitHubQuota.Reading, until: Duration)] = [:]
  }

  private let state = Mutex(State())
  private let clock: any ChatClock

  init(clock: any ChatClock) {
    self.clock = clock
  }

  /// The wait that applies to a request to `resource` now, or nil.
  func hold(on resource: String) -> Hold? {
    let now = clock.monotonic
    return state.withLock { state in
      [state.credential, state.resources[resource]].compactMap { $0 }.filter { $0.until > now }
        .max { $0.until < $1.until }
    }
  }

  /// Learns from a response to a request to `resource`. Returns the wait that its status calls for, if any.
  ///
  /// A 401 is counted against the anonymous quota and says nothing about this credential's.
  func learn(_ rule: LimitRule, resource: String, status: Int) -> Hold? {
    guard status != 401 else { return nil }
    return state.withLock { state in
      if let told = rule.reading, state.readings.count < 100 || state.readings[rule.resource] != nil {
        let reading = GitHubQuota.Reading(
          resource: rule.resource, limit: told.limit, remaining: told.remaining, used: told.used,
          resetAt: clock.now.adding(seconds: told.secondsLeft))
        state.readings[rule.resource] = (reading, clock.monotonic + .seconds(told.secondsLeft))
      }
      if let seconds = rule.exhaustedFor {
        state.resources[rule.resource] = makeHold(seconds: seconds, isPrimary: true)
      } else if status < 400 {
        state.resources[rule.resource] = nil
      }
      switch rule.verdict {
      case .none:
        if status < 400 { state.strikes = 0 }
        return nil
      case .primary(let seconds):
        let hold = makeHold(seconds: seconds, isPrimary: true)
        state.resources[resource] = hold
        return hold
      case .secondary(let told):
        let hold = makeHold(seconds: told ?? 60 << Int64(min(state.strikes, 5)), isPrimary: false)
        state.strikes += 1
        state.credential = hold
        return hold
      }
    }
  }

  /// The last reported quota of each resource whose reset has not passed.
  func readings() -> [GitHubQuota.Reading] {
    let now = clock.monotonic
    return state.withLock { state in
      state.readings.values.filter { $0.until > now }.map(\.reading).sorted { $0.resource < $1.resource }
    }
  }

  private func makeHold(seconds: Int64, isPrimary: Bool) -> Hold {
    Hold(
      until: clock.monotonic + .seconds(seconds), resetAt: clock.now.adding(seconds: seconds), isPrimary: isPrimary)
  }
}
