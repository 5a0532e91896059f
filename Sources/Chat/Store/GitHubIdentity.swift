/// Identifies a person by GitHub; implemented by `GitHub`.
///
/// Tokens are neither returned nor stored: a token exists from the exchange of the code to the response of `GET /user`.
package protocol GitHubIdentity: Sendable {
  /// The URL to send the browser to for the person's consent (OAuth web flow, RFC 6749 section 4.1.1).
  ///
  /// - Parameters:
  /// - state: returned with the response.
  /// - codeChallenge: base64url of the SHA-256 of the verifier (RFC 7636 section 4.2).
  /// - redirectURI: the absolute URL that GitHub redirects the browser to.
  func authorizationAddress(state: String, codeChallenge: String, redirectURI: String) -> String

  /// The account that GitHub issued `code` for. Throws `GitHubIdentityFailure`.
  func account(code: String, codeVerifier: String, redirectURI: String) async throws(GitHubIdentityFailure)
    -> GitHubAccount

  /// Starts the device flow (RFC 8628), for use without a browser. Throws `GitHubIdentityFailure`.
  func beginDeviceFlow() async throws(GitHubIdentityFailure) -> DeviceAuthorization

  /// Polls at GitHub's pace until the person has entered the code. Throws `GitHubIdentityFailure`.
  func account(for device: DeviceAuthorization) async throws(GitHubIdentityFailure) -> GitHubAccount
}

/// A pending device flow.
package struct DeviceAuthorization: Hashable, Sendable {
  /// The secret to poll with.
  package var deviceCode: String
  /// The code that the person enters, such as `WDJB-MJHT`.
  package var userCode: String
  /// The page on which to enter it.
  package var verificationAddress: String
  /// How long the codes are valid.
  package var lifetime: Duration
  /// The minimum time between two polls.
  package var interval: Duration

  package init(
    deviceCode: String, userCode: String, verificationAddress: String, lifetime: Duration, interval: Duration
  ) {
    self.deviceCode = deviceCode
    self.userCode = userCode
    self.verificationAddress = verificationAddress
    self.lifetime = lifetime
    self.interval = interval
  }
}

/// Why GitHub did not identify a person, classified by what can be done about it.
package enum GitHubIdentityFailure: Error, Hashable, Sendable {
  /// The person refused consent.
  case denied
  /// The code is wrong, used, or expired: start again.
  case expired
  /// The person's email address on GitHub is not verified.
  case unverifiedEmail
  /// The application is misconfigured, here or on GitHub (client id or secret, redirect URL, device flow disabled,
  /// application suspended), which the operator must fix. Contains GitHub's error code.
  case misconfigured(String)
  /// GitHub could not be reached.
  case unavailable(DirectoryFailure)
}
