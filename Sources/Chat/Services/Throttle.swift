/// Slows repeated failures: each key may fail so many times at once, and once more for each interval that passes. Nobody
/// is locked out for good (SECURITY 6), and civil time plays no part (SECURITY 20).
///
/// A key's state is one moment, the "theoretical arrival time" of the generic cell rate algorithm (ITU-T I.371): when
/// all its failures will be forgotten. A key past that moment is as good as unknown, so dropping it changes nothing. Where
/// the table is full of others, those nearest to that moment go first: a hot key outlives whatever an attacker pours in
/// after it, as long as that is less hot.
public final class Throttle: Sendable {
  /// How much is allowed.
  public struct Limits: Hashable, Sendable {
    /// How many failures may come at once.
    public var failures: Int
    /// After how long one failure is forgotten.
    public var interval: Duration
    /// How many keys are kept.
    public var keys: Int

    /// 20 failures at once, one more each 30 seconds, for 16,384 keys.
    public init(failures: Int = 20, interval: Duration = .seconds(30), keys: Int = 16_384) {
      self.failures = failures
      self.interval = interval
      self.keys = keys
    }
  }

  private let limits: Limits
  private let clock: any ChatClock
  private let forgottenAt = Locked<[String: Duration]>([:])

  /// A throttle in which no key has failed.
  public init(limits: Limits, clock: any ChatClock) {
    precondition(limits.failures > 0 && limits.interval > .zero && limits.keys > 0, "a throttle needs positive limits")
    self.limits = limits
    self.clock = clock
  }

  /// After how many seconds `key` may try again, or nil if it may now. Callable from any thread.
  public func retryAfter(_ key: String) -> Int? {
    let now = clock.monotonic
    let moment = forgottenAt.withLock { $0[key] } ?? now
    let wait = moment - now - limits.interval * (limits.failures - 1)
    return wait > .zero ? wait.secondsRoundedUp : nil
  }

  /// Counts a failure of `key`. Callable from any thread.
  public func recordFailure(_ key: String) {
    let now = clock.monotonic
    forgottenAt.withLock { table in
      let known = table[key]
      if known == nil, table.count >= limits.keys { makeRoom(in: &table, now) }
      table[key] = max(known ?? now, now) + limits.interval
    }
  }

  /// Forgets the failures of `key`. Callable from any thread.
  public func reset(_ key: String) {
    forgottenAt.withLock { _ = $0.removeValue(forKey: key) }
  }

  /// Drops what has no effect any more; where that is not a quarter of the table, the least hot keys up to a quarter, so
  /// that the sorting is paid for by many entries.
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
  /// Whole seconds, at least this long.
  var secondsRoundedUp: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }
}
