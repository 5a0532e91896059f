import Chat
import FoundationEssentials
import Outbound

/// GitHub's word for who somebody is, by an OAuth application: the web flow (RFC 6749 section 4.1, PKCE by RFC 7636) and
/// the device flow (RFC 8628), against github.com, an Enterprise Server or the stand-in.
///
/// No scope is asked for, since none is needed to tell who somebody is. A person who gave this application more at another
/// time gets a token with all that; it lives in memory until `GET /user` has answered, is in no error and no log, and is
/// dropped. That request is made by a client of its own: limits and validators of the shared credential do not hear of it.
/// Safe from any thread.
public final class GitHubSignIn: GitHubIdentity {
  let configuration: GitHubConfiguration
  let clock: any ChatClock
  private let clientID: String
  private let clientSecret: String
  private let transport: any Transport
  /// Each exchange is its own question; the queue only bounds how many are under way.
  private let queue: FetchQueue<UUID, Result<TransportResponse, GitHubError>>

  /// A sign-in by the application with this id and secret at the GitHub that `configuration` names, whose credential is
  /// not used.
  ///
  /// - Parameter transport: nil for a `URLSession`, which starts with the first request.
  public init(
    configuration: GitHubConfiguration, clientID: String, clientSecret: String, clock: any ChatClock,
    transport: (any Transport)? = nil
  ) {
    self.configuration = configuration
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.clock = clock
    self.transport = transport ?? URLSessionTransport(clock: clock)
    queue = FetchQueue(limit: configuration.concurrentRequests, clock: clock)
  }

  /// See `GitHubIdentity`.
  public func authorizationAddress(state: String, codeChallenge: String, redirectURI: String) -> String {
    let query = WebForm.encode([
      ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state), ("code_challenge", codeChallenge),
      ("code_challenge_method", "S256"),
    ])
    return configuration.webBase + "/login/oauth/authorize?" + query
  }

  /// See `GitHubIdentity`.
  public func account(
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

  /// See `GitHubIdentity`. No secret is sent: the device flow has none.
  public func beginDeviceFlow() async throws(GitHubIdentityFailure) -> DeviceAuthorization {
    let answer = try await ask("/login/device/code", [("client_id", clientID)])
    let content = answer.content
    if let error = content.error { throw Self.failure(error, answer) }
    guard let deviceCode = content["device_code"], let userCode = content["user_code"], Self.isPrintable(userCode),
      let address = content["verification_uri"].flatMap({ WebAddress($0) })
    else { throw .unavailable(answer.failure) }
    return DeviceAuthorization(
      deviceCode: deviceCode, userCode: userCode, verificationAddress: address.text,
      lifetime: content.seconds("expires_in", within: 1...3600) ?? .seconds(900),
      // Five seconds where none are told (RFC 8628 section 3.2).
      interval: content.seconds("interval", within: 1...300) ?? .seconds(5))
  }

  /// See `GitHubIdentity`.
  public func account(for device: DeviceAuthorization) async throws(GitHubIdentityFailure) -> GitHubAccount {
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
        // The person is still typing: a bad moment of GitHub is no reason to begin again (RFC 8628 section 3.5).
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

  /// Who the token belongs to. It is not kept beyond this.
  private func account(withTokenOf answer: Answer) async throws(GitHubIdentityFailure) -> GitHubAccount {
    guard let token = answer.content["access_token"], Self.isFieldValue(token) else {
      throw .unavailable(answer.failure)
    }
    var configuration = configuration
    configuration.credential = .token(token)
    // Whoever else this instance may ask as is not the person who signs in.
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
  /// An answer that was read, and what it is when nothing in it is what was expected.
  private struct Answer {
    let content: OAuthAnswer
    let failure: DirectoryFailure
  }

  /// Sends a form. Throws `.unavailable` where there is no answer, or one with neither content nor an error in it.
  private func ask(_ path: String, _ form: [(name: String, value: String)]) async throws(GitHubIdentityFailure)
    -> Answer
  {
    guard let address = WebAddress(configuration.webBase + path) else { throw .misconfigured("address") }
    let request = TransportRequest(
      method: .post, address: address,
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
      // Some faults of the application's settings have no other sign (and a wrong address of GitHub looks the same).
      if response.status == 404, answer.content.error == nil { throw .misconfigured("not_found") }
      let isUsable = answer.content.error != nil || (200..<300).contains(response.status)
      guard isUsable else { throw .unavailable(answer.failure) }
      return answer
    }
  }

  /// What one of GitHub's words means to whoever signs in.
  private static func failure(_ error: String, _ answer: Answer) -> GitHubIdentityFailure {
    switch error {
    case "access_denied": .denied
    // The documentation has both names for a device code that is too old.
    case "bad_verification_code", "expired_token", "token_expired": .expired
    case "unverified_user_email": .unverifiedEmail
    // The standard's words for a 500 and a 503 (RFC 6749 section 4.1.2.1).
    case "server_error", "temporarily_unavailable": .unavailable(answer.failure)
    default: .misconfigured(error)
    }
  }

  private static var abandoned: GitHubIdentityFailure {
    .unavailable(DirectoryFailure(kind: .unreachable, message: "nobody waits for the answer any more"))
  }

  /// What may be shown in a terminal: letters, digits and hyphens.
  private static func isPrintable(_ code: String) -> Bool {
    code.utf8.count <= 40
      && code.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
  }

  /// What may stand in a field line (SECURITY 13); of any length, as GitHub announced.
  private static func isFieldValue(_ token: String) -> Bool { token.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
