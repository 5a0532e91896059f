import Chat
import Synchronization

/// What is known of one credential's limits: until when nobody asks, for each resource and as a whole (D3).
final class RateLimits: Sendable {
  /// A wait in force.
  struct Hold: Equatable {
    /// When it ends, by the clock that never jumps.
    let until: Duration
    /// When it ends, for people.
    let resetAt: Timestamp
    /// Whether the quota is used up, rather than the pace too high.
    let isPrimary: Bool
  }

  private struct State {
    var credential: Hold?
    var resources: [String: Hold] = [:]
    /// Secondary limits in a row, for the doubling wait.
    var strikes = 0
    /// What was last told of each resource, with the end of its period by the clock that never jumps.
    var readings: [String: (reading: GitHubQuota.Reading, until: Duration)] = [:]
  }

  private let state = Mutex(State())
  private let clock: any ChatClock

  init(clock: any ChatClock) {
    self.clock = clock
  }

  /// The wait that a request to `resource` must keep now, or nil.
  func hold(on resource: String) -> Hold? {
    let now = clock.monotonic
    return state.withLock { state in
      [state.credential, state.resources[resource]].compactMap { $0 }.filter { $0.until > now }
        .max { $0.until < $1.until }
    }
  }

  /// Learns from an answer of a request to `resource`, and returns the wait that its status means, if any.
  ///
  /// A 401 is accounted to the anonymous bucket and says nothing of this one's.
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

  /// What was told of the resources whose periods are not over, by their names.
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
