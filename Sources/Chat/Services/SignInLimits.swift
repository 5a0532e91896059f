/// How often a password may be guessed, for each account and from each address (SECURITY 6): by signing in, and by what
/// else asks for one.
struct SignInLimits: Sendable {
  private let accounts: Throttle
  private let addresses: Throttle

  init(_ limits: Throttle.Limits, clock: any ChatClock) {
    accounts = Throttle(limits: limits, clock: clock)
    addresses = Throttle(limits: limits, clock: clock)
  }

  /// Throws `.rateLimited` where the account (nil for none), or the address, has failed too often.
  func check(account: String?, address: String) throws(ChatError) {
    if let account, let seconds = accounts.retryAfter(account) { throw .rateLimited(retryAfter: seconds) }
    if let seconds = addresses.retryAfter(address) { throw .rateLimited(retryAfter: seconds) }
  }

  /// Counts a failure.
  func recordFailure(account: String?, address: String) {
    if let account { accounts.recordFailure(account) }
    addresses.recordFailure(address)
  }

  /// The account's owner is back.
  func reset(account: String) { accounts.reset(account) }
}
