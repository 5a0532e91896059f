/// The rate limits of what one person may do, all named here; docs/api.md documents them for clients.
///
/// Nobody who writes as people do reaches them. Each is a token bucket per person, so people do not affect each other.
package enum Allowance: String, Hashable, Sendable, CaseIterable {
  /// Messages sent and forwarded.
  case messages
  /// Messages edited.
  case edits
  /// Messages deleted or hidden; people select many at once.
  case deletions
  /// Reactions and pins.
  case reactions
  case typing
  /// Rooms opened or created, and changes that notify a whole group.
  case rooms
  /// Members added, removed, banned, or given a different role.
  case members
  case invitations
  /// Searches for people, rooms and messages, as they are typed.
  case searches
  /// Requests that may go to GitHub.
  case gitHub = "github"
  /// Pictures of people and groups.
  case pictures
  /// All other changes: receipts, drafts, settings, one's own view of rooms.
  case changes
  /// Bytes sent for storage.
  case storage

  /// The burst, and the interval after which one more is allowed.
  package var limits: Throttle.Limits {
    switch self {
    case .messages: Throttle.Limits(burst: 60, interval: .seconds(1))
    case .edits: Throttle.Limits(burst: 30, interval: .seconds(2))
    case .deletions: Throttle.Limits(burst: 200, interval: .seconds(1))
    case .reactions: Throttle.Limits(burst: 60, interval: .seconds(1))
    case .typing: Throttle.Limits(burst: 30, interval: .seconds(1))
    case .rooms: Throttle.Limits(burst: 60, interval: .seconds(5))
    case .members: Throttle.Limits(burst: 200, interval: .seconds(1))
    case .invitations: Throttle.Limits(burst: 30, interval: .seconds(30))
    case .searches: Throttle.Limits(burst: 60, interval: .milliseconds(500))
    case .gitHub: Throttle.Limits(burst: 300, interval: .seconds(3))
    case .pictures: Throttle.Limits(burst: 10, interval: .seconds(30))
    case .changes: Throttle.Limits(burst: 300, interval: .milliseconds(100))
    // 16 MiB at once and 2 KiB per second, which is 168 MiB a day.
    case .storage: Throttle.Limits(burst: 16 << 20, interval: .seconds(1) / 2048)
    }
  }

  /// The number of seconds after which a spent allowance is full again.
  package var window: Int { (limits.interval * limits.burst).secondsRoundedUp }
}

/// Counts what people do against their allowances. Callable from any thread.
package final class Allowances: Sendable {
  /// The state of an allowance.
  package struct Balance: Hashable, Sendable {
    package var allowance: Allowance
    package var standing: Throttle.Standing
  }

  /// The refusals that a person or an address gets at once, and the interval after which one more is; others come
  /// `refusalPause` later. Who waits as `Retry-After` says never reaches them.
  package static let promptRefusals = Throttle.Limits(burst: 10, interval: .seconds(1))
  package static let refusalPause = Duration.seconds(1)

  package let clock: any ChatClock
  private let throttles: [Allowance: Throttle]
  private let refusals: Throttle

  package init(clock: any ChatClock) {
    self.clock = clock
    refusals = Throttle(limits: Self.promptRefusals, clock: clock)
    throttles = Dictionary(
      uniqueKeysWithValues: Allowance.allCases.map { ($0, Throttle(limits: $0.limits, clock: clock)) })
  }

  /// Spends `cost` of a person's allowance, if that much is left; otherwise `standing.retryAfter` says when it will be.
  package func spend(_ cost: Int = 1, of allowance: Allowance, by user: UserID) -> Balance {
    guard let throttle = throttles[allowance] else { preconditionFailure("each allowance has its throttle") }
    return Balance(allowance: allowance, standing: throttle.take(cost, of: user.description))
  }

  /// Counts a refusal of a person or an address, for whatever limit. Returns whether it is answered at once.
  package func isRefusedAtOnce(_ client: String) -> Bool { refusals.take(client) == nil }
}
