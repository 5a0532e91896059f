import Base

/// Limits how often a key may try: a number of tries at once, and one more per interval. There is no permanent
/// lock-out, and only monotonic time is used.
///
/// A key's state is the "theoretical arrival time" of the generic cell rate algorithm (ITU-T I.371): when all its tries
/// are forgotten. Keys past that time are equivalent to unknown ones and can be dropped. In a full table the keys
/// nearest to it are dropped first, so that an attacker cannot evict a hot key with less hot ones.
package final class Throttle: Sendable {
  /// The limits of a throttle.
  package struct Limits: Hashable, Sendable {
    /// The number of tries allowed at once.
    package var burst: Int
    /// The time after which one try is forgotten.
    package var interval: Duration
    /// The maximum number of keys.
    package var keys: Int

    /// 20 tries at once and one more per minute, for 16,384 keys.
    package init(burst: Int = 20, interval: Duration = .seconds(60), keys: Int = 16_384) {
      self.burst = burst
      self.interval = interval
      self.keys = keys
    }
  }

  /// The state of a key after a try.
  package struct Standing: Hashable, Sendable {
    /// The seconds until the try may be repeated; nil if it was allowed and counted.
    package var retryAfter: Int?
    /// The number of tries left.
    package var remaining: Int
    /// The seconds until all tries are forgotten.
    package var resetAfter: Int
  }

  private let limits: Limits
  private let clock: any ChatClock
  private let forgottenAt = Lock<[String: Duration]>([:])

  package init(limits: Limits, clock: any ChatClock) {
    precondition(limits.burst > 0 && limits.interval > .zero && limits.keys > 0, "a throttle needs positive limits")
    self.limits = limits
    self.clock = clock
  }

  /// The seconds until `key` may try again; nil if it may now. Callable from any thread.
  package func retryAfter(_ key: String) -> Int? {
    let now = clock.monotonic
    let moment = forgottenAt.withLock { $0[key] } ?? now
    let wait = moment - now - limits.interval * (limits.burst - 1)
    return wait > .zero ? wait.secondsRoundedUp : nil
  }

  /// Counts a failure of `key`. Callable from any thread.
  package func recordFailure(_ key: String) {
    let now = clock.monotonic
    forgottenAt.withLock { count(key, in: &$0, now) }
  }

  /// Counts a try of `key` before its outcome is known, so that concurrent tries get no further than sequential ones;
  /// `giveBack` takes it back. Returns the seconds until `key` may try again, or nil if the try may proceed.
  package func take(_ key: String) -> Int? { take(1, of: key).retryAfter }

  /// Counts `cost` tries of `key` at once if that many are left; a cost above the burst counts as the burst. Callable
  /// from any thread.
  package func take(_ cost: Int, of key: String) -> Standing {
    let now = clock.monotonic
    let cost = min(max(1, cost), limits.burst)
    return forgottenAt.withLock { table in
      let wait = (table[key] ?? now) - now - limits.interval * (limits.burst - cost)
      if wait <= .zero { count(key, in: &table, now, cost: cost) }
      let debt = max(.zero, (table[key] ?? now) - now)
      return Standing(
        retryAfter: wait > .zero ? wait.secondsRoundedUp : nil,
        remaining: max(0, Int((limits.interval * limits.burst - debt) / limits.interval)),
        resetAfter: debt.secondsRoundedUp)
    }
  }

  /// Takes back one try of `key` that `take` counted.
  package func giveBack(_ key: String) {
    forgottenAt.withLock { table in
      guard let moment = table[key] else { return }
      table[key] = moment - limits.interval
    }
  }

  /// Forgets the failures of `key`. Callable from any thread.
  package func reset(_ key: String) {
    forgottenAt.withLock { _ = $0.removeValue(forKey: key) }
  }

  /// The current number of keys.
  var keyCount: Int { forgottenAt.withLock { $0.count } }

  private func count(_ key: String, in table: inout [String: Duration], _ now: Duration, cost: Int = 1) {
    let known = table[key]
    if known == nil, table.count >= limits.keys { makeRoom(in: &table, now) }
    table[key] = max(known ?? now, now) + limits.interval * cost
  }

  /// Drops keys that no longer have an effect; if those are less than a quarter of the table, also the least hot ones
  /// up to a quarter, so that the cost of sorting is spread over many entries.
  private func makeRoom(in table: inout [String: Duration], _ now: Duration) {
    table = table.filter { $0.value > now }
    let target = limits.keys - max(1, limits.keys / 4)
    guard table.count > target else { return }
    for entry in table.sorted(by: { $0.value < $1.value }).prefix(table.count - target) {
      table.removeValue(forKey: entry.key)
    }
  }
}

extension Duration {
  /// The duration in whole seconds, rounded up.
  var secondsRoundedUp: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }
}
