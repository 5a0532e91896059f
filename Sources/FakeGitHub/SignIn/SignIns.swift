import Crypto
import FoundationEssentials

/// Codes, tokens and devices under way: what GitHub remembers of sign-ins. Times are seconds since the epoch. What is
/// handed out is the same in every run; it protects nothing but the stand-in.
struct SignIns: Sendable {
  /// What a code or a token stands for.
  struct Grant: Sendable, Equatable {
    /// Whose account.
    var person: Int64
    /// What was granted, comma separated as tokens tell it.
    var scope: String
  }

  /// A code of the web flow.
  private struct Code {
    let grant: Grant
    let redirect: String
    let challenge: String?
    let madeAt: Int64
  }

  /// A device that waits for somebody to type its code.
  private struct Device {
    let scope: String
    let userCode: String
    let madeAt: Int64
    var interval: Int64 = 5
    var askedAt: Int64?
    var decision: Decision?
  }

  /// What somebody has decided about a device.
  enum Decision: Sendable, Equatable {
    case approved(Int64)
    case denied
  }

  /// What the token endpoint refuses with, by GitHub's names.
  enum Refusal: String, Error {
    case badVerificationCode = "bad_verification_code"
    case redirectMismatch = "redirect_uri_mismatch"
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
    case accessDenied = "access_denied"
    case incorrectDeviceCode = "incorrect_device_code"
  }

  /// How long a code of the web flow lives.
  static let codeSeconds: Int64 = 600
  /// How long a device may wait.
  static let deviceSeconds: Int64 = 900
  /// How many tokens an account has for the same scopes; one more revokes the oldest.
  static let tokensPerGrant = 10

  private var serial = 0
  private var codes: [String: Code] = [:]
  private var tokens: [String: Grant] = [:]
  /// The tokens of each account and scope set, oldest first.
  private var order: [String: [String]] = [:]
  private var devices: [String: Device] = [:]

  /// Whose a token is, or nil.
  func grant(of token: String) -> Grant? { tokens[token] }

  // MARK: Web flow

  /// A code for an account that said yes.
  mutating func code(for grant: Grant, redirect: String, challenge: String?, now: Int64) -> String {
    codes = codes.filter { now - $0.value.madeAt < Self.codeSeconds }
    let code = String(secret("code").prefix(20))
    codes[code] = Code(grant: grant, redirect: redirect, challenge: challenge, madeAt: now)
    return code
  }

  /// What a code stands for. It is used up by that, whether or not the rest fits.
  mutating func redeem(_ code: String, redirect: String?, verifier: String?, now: Int64) throws(Refusal) -> Grant {
    guard let known = codes.removeValue(forKey: code), now - known.madeAt < Self.codeSeconds else {
      throw .badVerificationCode
    }
    if let redirect, redirect != known.redirect { throw .redirectMismatch }
    if let challenge = known.challenge, challenge != verifier.map(Self.challenge) { throw .badVerificationCode }
    return known.grant
  }

  /// PKCE's S256 (RFC 7636 section 4.2): the digest of the verifier in base64url without padding.
  static func challenge(of verifier: String) -> String {
    Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString().replacing("+", with: "-").replacing(
      "/", with: "_"
    )
    .replacing("=", with: "")
  }

  /// A token for what was granted.
  mutating func token(for grant: Grant) -> String {
    let token = "gho_" + secret("token").prefix(36)
    let key = "\(grant.person) \(grant.scope)"
    tokens[token] = grant
    order[key, default: []].append(token)
    if order[key, default: []].count > Self.tokensPerGrant, let oldest = order[key]?.removeFirst() {
      tokens[oldest] = nil
    }
    return token
  }

  // MARK: Device flow

  /// A new device: its secret code and the code that somebody types.
  mutating func device(scope: String, now: Int64) -> (device: String, user: String) {
    devices = devices.filter { now - $0.value.madeAt < 2 * Self.deviceSeconds }
    let device = secret("device")
    // Letters that are hard to confuse and make no words.
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let typed = device.utf8.prefix(16).map { letters[Int($0) * 7 % letters.count] }
    let user = String(typed.prefix(4)) + "-" + String(typed.suffix(4))
    devices[device] = Device(scope: scope, userCode: user, madeAt: now)
    return (device, user)
  }

  /// Whether a device waits with that code, in any case and with or without its hyphen.
  func isWaiting(userCode: String, now: Int64) -> Bool { device(userCode: userCode, now: now) != nil }

  /// Notes what somebody has decided. False where no device waits with that code.
  mutating func decide(userCode: String, _ decision: Decision, now: Int64) -> Bool {
    guard let device = device(userCode: userCode, now: now) else { return false }
    devices[device]?.decision = decision
    return true
  }

  /// Notes what was decided about a device that nothing was decided about yet.
  mutating func decide(device: String, _ decision: Decision) {
    if devices[device]?.decision == nil { devices[device]?.decision = decision }
  }

  /// What a device that asks gets; with `.slowDown` and later the interval that `interval(of:)` tells.
  mutating func poll(_ device: String, now: Int64) throws(Refusal) -> Grant {
    guard var waiting = devices[device] else { throw .incorrectDeviceCode }
    guard now - waiting.madeAt < Self.deviceSeconds else { throw .expiredToken }
    let isHasty = waiting.askedAt.map { now - $0 < waiting.interval } ?? false
    waiting.askedAt = now
    if isHasty { waiting.interval += 5 }
    devices[device] = waiting
    if isHasty { throw .slowDown }
    switch waiting.decision {
    case nil: throw .authorizationPending
    case .denied: throw .accessDenied
    case .approved(let person):
      devices[device] = nil
      return Grant(person: person, scope: waiting.scope)
    }
  }

  /// How many seconds a device must wait between two polls.
  func interval(of device: String) -> Int64 { devices[device]?.interval ?? 5 }

  private func device(userCode: String, now: Int64) -> String? {
    let typed = userCode.uppercased().filter(\.isLetter)
    return devices.first {
      $0.value.userCode.filter(\.isLetter) == typed && $0.value.decision == nil
        && now - $0.value.madeAt < Self.deviceSeconds
    }?.key
  }

  /// Forty hexadecimal digits that were not handed out before.
  private mutating func secret(_ purpose: String) -> String {
    serial += 1
    let bytes = Array("\(purpose) \(serial)".utf8)
    return String((StableHash.hexadecimal(bytes) + StableHash.hexadecimal(bytes + [0])).prefix(40))
  }
}
