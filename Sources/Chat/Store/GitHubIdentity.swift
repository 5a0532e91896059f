/// Finding out who somebody is on GitHub, by GitHub's own word; `GitHub` implements it (A1).
///
/// No token leaves it and none is kept: a token lives from the exchange of the code to the answer of `GET /user`.
public protocol GitHubIdentity: Sendable {
  /// Where the browser is sent for the person's consent (OAuth web flow, RFC 6749 section 4.1.1).
  ///
  /// - Parameters:
  ///   - state: comes back with the answer.
  ///   - codeChallenge: base64url of the SHA-256 of the verifier (RFC 7636 section 4.2).
  ///   - redirectURI: where GitHub sends the browser back to; absolute.
  func authorizationAddress(state: String, codeChallenge: String, redirectURI: String) -> String

  /// The account for whose consent GitHub gave `code`. Throws `GitHubIdentityFailure`.
  func account(code: String, codeVerifier: String, redirectURI: String) async throws(GitHubIdentityFailure)
    -> GitHubAccount

  /// Begins the device flow (RFC 8628), for where there is no browser. Throws `GitHubIdentityFailure`.
  func beginDeviceFlow() async throws(GitHubIdentityFailure) -> DeviceAuthorization

  /// Asks until the person has typed the code, at the pace that GitHub sets. Throws `GitHubIdentityFailure`.
  func account(for device: DeviceAuthorization) async throws(GitHubIdentityFailure) -> GitHubAccount
}

/// A device flow under way.
public struct DeviceAuthorization: Hashable, Sendable {
  /// The secret to ask with.
  public var deviceCode: String
  /// What the person types, such as `WDJB-MJHT`.
  public var userCode: String
  /// Where it is typed.
  public var verificationAddress: String
  /// How long the codes are good for.
  public var lifetime: Duration
  /// The least time between two questions.
  public var interval: Duration

  /// An authorization from its parts.
  public init(
    deviceCode: String, userCode: String, verificationAddress: String, lifetime: Duration, interval: Duration
  ) {
    self.deviceCode = deviceCode
    self.userCode = userCode
    self.verificationAddress = verificationAddress
    self.lifetime = lifetime
    self.interval = interval
  }
}

/// Why GitHub did not say who somebody is, by what can be done about it.
public enum GitHubIdentityFailure: Error, Hashable, Sendable {
  /// The person said no.
  case denied
  /// The code is wrong, used, or older than its time: begin again.
  case expired
  /// The person's email address at GitHub is not verified.
  case unverifiedEmail
  /// The application's settings are wrong, here or at GitHub (client id or secret, redirect address, device flow off,
  /// application suspended): the operator's to mend. GitHub's own code for it.
  case misconfigured(String)
  /// GitHub could not be asked.
  case unavailable(DirectoryFailure)
}
