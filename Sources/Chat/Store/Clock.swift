/// Civil time, and timers in monotonic time. Injected, so that tests control both.
package protocol ChatClock: Sendable {
  /// The civil time, for records and display.
  var now: Timestamp { get }
  /// Time that never jumps, since an arbitrary start; for limits, throttles and expiries.
  var monotonic: Duration { get }
  /// Runs `work` once after `delay`, unless cancelled before, on a thread of the clock's choice that must not be
  /// blocked.
  @discardableResult
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork
}

/// Work scheduled for later.
package protocol ScheduledWork: Sendable {
  /// Cancels the work; has no effect once it has started.
  func cancel()
}

/// A thread that owns the subscribers on it (an event loop, seen from the core).
package protocol Lane: Sendable {
  /// Runs `work` on the lane, in the order of the calls. Callable from any thread.
  func run(_ work: @escaping @Sendable () -> Void)
  /// Starts a task on the lane. Callable from any thread.
  func start(_ work: @escaping @Sendable () async -> Void)
  /// Traps unless the caller is on the lane.
  func assertCurrent()
}

/// Hashes and verifies passwords; deliberately slow, so never on an event loop.
package protocol PasswordHashing: Sendable {
  /// The hash with its parameters and a fresh salt. `client` identifies the requester: waiting clients take turns.
  func hash(_ password: String, for client: String) async throws -> String
  /// Whether `password` matches `hash`; if that is nil, compares with a dummy at the same cost and returns false.
  func verify(_ password: String, against hash: String?, for client: String) async throws -> Bool
}

/// Random secrets and their hashes: a cookie contains the secret, the store only its hash.
package protocol SecretSource: Sendable {
  /// A new secret with at least 128 random bits, in URL-safe characters.
  func makeSecret() -> String
  /// SHA-256 of a secret, 32 bytes.
  func hash(_ secret: String) -> [UInt8]
}
