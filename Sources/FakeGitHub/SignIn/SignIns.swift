import Crypto
import FoundationEssentials

/// The state of sign-ins: pending codes, tokens and devices. Times are seconds since the epoch. Secrets are the same in
/// every run; they protect nothing but the stand-in.
struct SignIns: Sendable {
  /// What a code or a token grants.
  struct Grant: Sendable, Equatable {
    /// The account's id.
    var person: Int64
    /// The granted scopes, comma-separated as in token responses.
    var scope: String
  }

  /// A code of the web flow.
  private struct Code {
    let grant: Grant
    let redirect: String
    let challenge: String?
    let madeAt: Int64
  }

  /// A device waiting for somebody to enter its code.
  private struct Device {
    let scope: String
    let userCode: String
    let madeAt: Int64
    var interval: Int64 = 5
    var askedAt: Int64?
    var decision: Decision?
  }

  /// A person's decision about a device.
  enum Decision: Sendable, Equatable {
    case approved(Int64)
    case denied
  }

  /// The token endpoint's errors, by GitHub's names.
  enum Refusal: String, Error {
    case badVerificationCode = "bad_verification_code"
    case redirectMismatch = "redirect_uri_mismatch"
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
    case accessDenied = "access_denied"
    case incorrectDeviceCode = "incorrect_device_code"
  }

  /// How long a code of the web flow is valid.
  static let codeSeconds: Int64 = 600
  /// How long a device code is valid.
  static let deviceSeconds: Int64 = 900
  /// The maximum number of tokens per account and scope set; one more revokes the oldest.
  static let tokensPerGrant = 10

  private var serial = 0
  private var codes: [String: Code] = [:]
  private var tokens: [String: Grant] = [:]
  /// The tokens of each account and scope set, oldest first.
  private var order: [String: [String]] = [:]
  private var devices: [String: Device] = [:]

  /// A token's grant, or nil.
  func grant(of token: String) -> Grant? { tokens[token] }

  // MARK: Web flow

  /// A code for an account that has given consent.
  mutating func code(for grant: Grant, redirect: String, challenge: String?, now: Int64) -> String {
    codes = codes.filter { now - $0.value.madeAt < Self.codeSeconds }
    let code = String(secret("code").prefix(20))
    codes[code] = Code(grant: grant, redirect: redirect, challenge: challenge, madeAt: now)
    return code
  }

  /// Exchanges a code for its grant. The code is used up even if the other parameters do not match.
  mutating func redeem(_ code: String, redirect: String?, verifier: String?, now: Int64) throws(Refusal) -> Grant {
    guard let known = codes.removeValue(forKey: code), now - known.madeAt < Self.codeSeconds else {
      throw .badVerificationCode
    }
    if let redirect, redirect != known.redirect { throw .redirectMismatch }
    if let challenge = known.challenge, challenge != verifier.map(Self.challenge) { throw .badVerificationCode }
    return known.grant
  }

  /// PKCE's S256 (RFC 7636 section 4.2): the base64url digest of the verifier, without padding.
  static func challenge(of verifier: String) -> String {
    Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString().replacing("+", with: "-").replacing(
      "/", with: "_"
    )
    .replacing("=", with: "")
  }

  /// A token for a grant.
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

  /// A new device: its secret code, and the code for the person to enter.
  mutating func device(scope: String, now: Int64) -> (device: String, user: String) {
    devices = devices.filter { now - $0.value.madeAt < 2 * Self.deviceSeconds }
    let device = secret("device")
    // Letters that are hard to confuse and form no words.
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let typed = device.utf8.prefix(16).map { letters[Int($0) * 7 % letters.count] }
    let user = String(typed.prefix(4)) + "-" + String(typed.suffix(4))
    devices[device] = Device(scope: scope, userCode: user, madeAt: now)
    return (device, user)
  }

  /// Records a person's decision. Returns false if no device is waiting with that code.
  mutating func decide(userCode: String, _ decision: Decision, now: Int64) -> Bool {
    guard let device = device(userCode: userCode, now: now) else { return false }
    devices[device]?.decision = decision
    return true
  }

  /// Records a decision unless there already is one.
  mutating func decide(device: String, _ decision: Decision) {
    if devices[device]?.decision == nil { devices[device]?.decision = decision }
  }

  /// The result of a device's poll. After `.slowDown` the new interval is `interval(of:)`.
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

  /// The minimum number of seconds between a device's polls.
  func interval(of device: String) -> Int64 { devices[device]?.interval ?? 5 }

  private func device(userCode: String, now: Int64) -> String? {
    let typed = userCode.uppercased().filter(\.isLetter)
    return devices.first {
      $0.value.userCode.filter(\.isLetter) == typed && $0.value.decision == nil
        && now - $0.value.madeAt < Self.deviceSeconds
    }?.key
  }

  /// Forty hexadecimal digits, never issued before.
  private mutating func secret(_ purpose: String) -> String {
    serial += 1
    let bytes = Array("\(purpose) \(serial)".utf8)
    return String((SeededHash.hexadecimal(bytes) + SeededHash.hexadecimal(bytes + [0])).prefix(40))
  }
}
