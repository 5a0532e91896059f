/// Limits on password guesses and sign-ups.
///
/// A guess counts against its account at its address, against its address over all accounts, and against its account
/// over all addresses. The last limit is ten times higher, so that a stranger at one address cannot lock an owner out.
/// A device that has signed in to the account before has its own limit, unaffected by strangers' guesses.
struct SignInLimits: Sendable {
  /// A guess that is counted before its outcome is known.
  struct Guess: Sendable {
    fileprivate let taken: [(throttle: Throttle, key: String)]

    /// Takes the guess back: the password was right, or was never checked.
    func giveBack() {
      for (throttle, key) in taken { throttle.giveBack(key) }
    }

    /// Forgets the failures at this address, or on this device, because the owner has signed in.
    func succeed() {
      giveBack()
      if let own = taken.first { own.throttle.reset(own.key) }
    }
  }

  /// How much higher an account's limit is over all addresses than at one address.
  private static let accountFactor = 10
  /// How much higher an address's limit is for sign-ups than for guesses: a class signs up together.
  private static let signUpFactor = 3

  /// Guesses at one account, from an address, or from a device known to it.
  private let pairs: Throttle
  private let addresses: Throttle
  private let accounts: Throttle
  private let signUps: Throttle

  init(_ limits: Throttle.Limits, clock: any ChatClock) {
    pairs = Throttle(limits: limits, clock: clock)
    addresses = Throttle(limits: limits, clock: clock)
    accounts = Throttle(limits: limits.times(SignInLimits.accountFactor), clock: clock)
    signUps = Throttle(limits: limits.times(SignInLimits.signUpFactor), clock: clock)
  }

  /// Counts a guess at an account's password. `device` is the verified token of a device known to the account. Throws
  /// `.rateLimited` if the guess must wait, without counting it.
  func guess(account: String, address: String, device: String?) throws(ChatError) -> Guess {
    if let device { return try take([(pairs, "device " + device)]) }
    return try take([(pairs, address + " " + account), (addresses, address), (accounts, account)])
  }

  /// Counts a sign-up from an address. Throws `.rateLimited`.
  func signUp(address: String) throws(ChatError) -> Guess { try take([(signUps, address)]) }

  /// Throws `.rateLimited` if an address has failed too often.
  func check(address: String) throws(ChatError) {
    if let seconds = addresses.retryAfter(address) { throw .rateLimited(retryAfter: seconds) }
  }

  /// Counts a failure of an address.
  func recordFailure(address: String) { addresses.recordFailure(address) }

  private func take(_ wanted: [(throttle: Throttle, key: String)]) throws(ChatError) -> Guess {
    for (index, (throttle, key)) in wanted.enumerated() {
      guard let seconds = throttle.take(key) else { continue }
      Guess(taken: Array(wanted[..<index])).giveBack()
      throw .rateLimited(retryAfter: seconds)
    }
    return Guess(taken: wanted)
  }
}

extension Throttle.Limits {
  /// The limits with `factor` times the burst and the rate.
  fileprivate func times(_ factor: Int) -> Throttle.Limits {
    Throttle.Limits(burst: burst * factor, interval: interval / factor, keys: keys)
  }
}
