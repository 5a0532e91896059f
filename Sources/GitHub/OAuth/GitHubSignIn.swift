import Chat
import FoundationEssentials
import Outbound

/// Identifies a person by an OAuth application: the web flow (RFC 6749 section 4.1, with PKCE, RFC 7636) and the device
/// flow (RFC 8628), on github.com, an Enterprise Server or the stand-in.
///
/// Requests no scope, since identification needs none. A person who granted this application more at another time gets
/// a token with those scopes; it is held in memory until `GET /user` has answered, appears in no error or log, and is
/// then dropped. That request uses a separate client, so that it does not affect the limits and validators of the
/// server's credential. Safe from any thread.
package final class GitHubSignIn: GitHubIdentity {
  let configuration: GitHubConfiguration
  let clock: any ChatClock
  private let clientID: String
  private let clientSecret: String
  private let transport: any Transport
  /// Each exchange has its own key; the queue only limits how many run at once.
  private let queue: FetchQueue<UUID, Result<TransportResponse, GitHubError>>

  /// Sign-in by the application with this id and secret on the GitHub described by `configuration`, whose credential is
  /// not used.
  ///
  /// - Parameter transport: nil creates one.
  package init(
    configuration: GitHubConfiguration, clientID: String, clientSecret: String, clock: any ChatClock,
    transport: (any Transport)? = nil
  ) {
    self.configuration = configuration
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.clock = clock
    self.transport = transport ?? CurlTransport()
    queue = FetchQueue(limit: configuration.concurrentRequests, clock: clock)
  }

  /// See `GitHubIdentity`.
  package func authorizationAddress(state: String, codeChallenge: String, redirectURI: String) -> String {
    let query = WebForm.encode([
      ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state), ("code_challenge", codeChallenge),
      ("code_challenge_method", "S256"),
    ])
    return configuration.webBase + "/login/oauth/authorize?" + query
  }

  /// See `GitHubIdentity`.
  package func account(
    code: String, codeVerifier: String, redirectURI: String
  ) async throws(GitHubIdentityFailure) -> GitHubAccount {
    let answer = try await ask(
      "/login/oauth/access_token",
      [
        ("client_id", clientID), ("client_secret", clientSecret), ("code", code), ("redirect_uri", redirectURI),
        ("code_verifier", codeVerifier),
      ])
    if let error = answer.content.error { throw Self.failure(error, answer) }
    return try await account(withTokenOf: answer)
  }

  /// See `GitHubIdentity`. The device flow sends no client secret.
  package func beginDeviceFlow() async throws(GitHubIdentityFailure) -> DeviceAuthorization {
    let answer = try await ask("/login/device/code", [("client_id", clientID)])
    let content = answer.content
    if let error = content.error { throw Self.failure(error, answer) }
    guard let deviceCode = content["device_code"], let userCode = content["user_code"], Self.isPrintable(userCode),
      let address = content["verification_uri"].flatMap({ WebAddress($0) })
    else { throw .unavailable(answer.failure) }
    return DeviceAuthorization(
      deviceCode: deviceCode, userCode: userCode, verificationAddress: address.text,
      lifetime: content.seconds("expires_in", within: 1...3600) ?? .seconds(900),
      // The default interval is five seconds (RFC 8628 section 3.2).
      interval: content.seconds("interval", within: 1...300) ?? .seconds(5))
  }

  /// See `GitHubIdentity`.
  package func account(for device: DeviceAuthorization) async throws(GitHubIdentityFailure) -> GitHubAccount {
    var polling = DevicePolling(device, began: clock.monotonic)
    while true {
      let wait = polling.wait(at: clock.monotonic)
      if wait > .zero { await clock.pause(for: wait) }
      guard !Task.isCancelled else { throw Self.abandoned }
      guard !polling.isOver(at: clock.monotonic) else { throw .expired }
      let answer: Answer
      do {
        answer = try await ask(
          "/login/oauth/access_token",
          [
            ("client_id", clientID), ("device_code", device.deviceCode),
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
          ])
      } catch .unavailable(let failure) {
        guard !Task.isCancelled else { throw Self.abandoned }
        // The person is still entering the code: a failure of GitHub does not end the flow (RFC 8628 section 3.5).
        polling.missed(failure, at: clock.monotonic, now: clock.now)
        continue
      }
      switch answer.content.error {
      case nil: return try await account(withTokenOf: answer)
      case "authorization_pending": continue
      case "slow_down": polling.slowDown(to: answer.content.seconds("interval", within: 1...300))
      case .some(let error): throw Self.failure(error, answer)
      }
    }
  }

  /// The account that the token belongs to. The token is dropped afterwards.
  private func account(withTokenOf answer: Answer) async throws(GitHubIdentityFailure) -> GitHubAccount {
    guard let token = answer.content["access_token"], Self.isFieldValue(token) else {
      throw .unavailable(answer.failure)
    }
    var configuration = configuration
    configuration.credential = .token(token)
    // The server's other credentials must not be used to identify the person.
    configuration.fallbacks = []
    let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    do {
      guard let profile = try await client.get("/user", as: ProfileRecord.self).value else { throw Self.abandoned }
      return profile.account
    } catch let error as GitHubError {
      throw .unavailable(error.directoryFailure)
    } catch {
      throw Self.abandoned
    }
  }
}

extension GitHubSignIn {
  /// A decoded response, and the failure to report if it has none of the expected members.
  private struct Answer {
    let content: OAuthAnswer
    let failure: DirectoryFailure
  }

  /// Posts a form. Throws `.unavailable` if there is no response, or one with neither the expected content nor an error
  /// code.
  private func ask(_ path: String, _ form: [(name: String, value: String)]) async throws(GitHubIdentityFailure)
    -> Answer
  {
    guard let address = WebAddress(configuration.webBase + path) else { throw .misconfigured("address") }
    let request = TransportRequest(
      method: .post, address: address, reach: .anyAddress,
      fields: [
        "User-Agent": configuration.userAgent, "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
      ], body: Array(WebForm.encode(form).utf8), bodyLimit: configuration.bodyLimit, timeout: configuration.apiTimeout)
    let result: Result<TransportResponse, GitHubError>
    do {
      result = try await queue.value(for: UUID()) { [transport] in
        do throws(TransportFailure) {
          return .success(try await transport.send(request))
        } catch {
          return .failure(GitHubError(error))
        }
      }
    } catch {
      throw Self.abandoned
    }
    switch result {
    case .failure(let error): throw .unavailable(error.directoryFailure)
    case .success(let response):
      let answer = Answer(
        content: OAuthAnswer(response.body), failure: GitHubError(oauth: response, now: clock.now).directoryFailure)
      // Some misconfigurations show only as a 404, and so does a wrong base URL.
      if response.status == 404, answer.content.error == nil { throw .misconfigured("not_found") }
      let isUsable = answer.content.error != nil || (200..<300).contains(response.status)
      guard isUsable else { throw .unavailable(answer.failure) }
      return answer
    }
  }

  /// Maps an error code to what it means for the person signing in.
  private static func failure(_ error: String, _ answer: Answer) -> GitHubIdentityFailure {
    switch error {
    case "access_denied": .denied
    // GitHub's documentation uses both names for an expired device code.
    case "bad_verification_code", "expired_token", "token_expired": .expired
    case "unverified_user_email": .unverifiedEmail
    // RFC 6749 section 4.1.2.1: the error codes for a 500 and a 503.
    case "server_error", "temporarily_unavailable": .unavailable(answer.failure)
    default: .misconfigured(error)
    }
  }

  private static var abandoned: GitHubIdentityFailure {
    .unavailable(DirectoryFailure(kind: .unreachable, message: "the request was cancelled"))
  }

  /// Whether a code is safe to print in a terminal: letters, digits and hyphens.
  private static func isPrintable(_ code: String) -> Bool {
    code.utf8.count <= 40
      && code.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
  }

  /// Whether a token is valid in a field line. Tokens may have any length, as announced by GitHub.
  private static func isFieldValue(_ token: String) -> Bool { token.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
