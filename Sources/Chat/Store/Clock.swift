/// Civil time, and waiting by monotonic time. Injected, so that tests own both.
public protocol ChatClock: Sendable {
  /// The civil time, for records and people.
  var now: Timestamp { get }
  /// Time that never jumps, since an arbitrary start: for limits, throttles and expiries.
  var monotonic: Duration { get }
  /// Runs `work` once after `delay`, on a thread of the clock's choice that must not be blocked, unless cancelled before.
  @discardableResult
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork
}

/// Work that waits for its time.
public protocol ScheduledWork: Sendable {
  /// Takes it back; no effect once it has begun.
  func cancel()
}

/// A thread that owns the subscribers which live on it (an event loop, seen from the core).
public protocol Lane: Sendable {
  /// Runs `work` on the lane, after all that was given to it before. Callable from any thread.
  func run(_ work: @escaping @Sendable () -> Void)
  /// Traps when the caller is not on the lane.
  func assertCurrent()
}

/// Passwords to hashes and back to an answer; deliberately slow, so never on an event loop.
public protocol PasswordHashing: Sendable {
  /// The hash with its parameters and a fresh salt.
  func hash(_ password: String) async throws -> String
  /// Whether `password` gives `hash`; nil compares with a dummy at the same cost and answers false (SECURITY 7).
  func verify(_ password: String, against hash: String?) async throws -> Bool
}

/// Random secrets and their hashes: what a cookie carries and what the store keeps of it.
public protocol SecretSource: Sendable {
  /// A new secret of at least 128 random bits in URL-safe characters.
  func makeSecret() -> String
  /// SHA-256 of a secret, 32 bytes.
  func hash(_ secret: String) -> [UInt8]
}
