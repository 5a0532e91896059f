import Chat
import HTTP
import HTTPServer
import Logging

/// The configuration of GitHub sign-in: the identity service, and the address to redirect to.
struct GitHubSetup: Sendable {
  let identity: any GitHubIdentity
  /// This instance's own origin, `https://chat.example.org`; never taken from Host.
  let origin: @Sendable () -> String
  /// Whether the operator configured it; otherwise it is where this program listens.
  let isTold: Bool

  /// Where GitHub redirects the browser to.
  var redirectURI: String { origin() + "/auth/github/callback" }

  /// Whether a request came by a different name than the redirect's (`localhost` for `127.0.0.1`), so that its cookies
  /// would be missing at the end. Unknown behind a proxy, which may change Host.
  func isElsewhere(_ head: RequestHead) -> Bool {
    guard !isTold, let host = head.host?.lowercased() else { return false }
    return origin().lowercased() != "http://" + host
  }

  /// The GitHub page that this flow starts with.
  func address(for flow: GitHubFlow) -> String {
    identity.authorizationAddress(
      state: flow.state, codeChallenge: flow.challenge, redirectURI: redirectURI)
  }
}

/// Why a GitHub sign-in failed, as reported to the page, which has the texts for it.
enum GitHubRefusal: String, Error, CaseIterable, Sendable {
  /// The person refused consent.
  case denied
  /// The flow, or GitHub's code, has expired or was used.
  case expired
  /// The person's email address on GitHub is not verified.
  case unverified
  /// The application is misconfigured or missing.
  case misconfigured
  /// GitHub is not available.
  case unavailable
  /// Registration is closed.
  case closed
  /// Registration is by invitation, and there was no valid one.
  case invite
  /// This browser did not start the flow, or did so as somebody else.
  case state
  /// The GitHub account is linked to somebody else here.
  case taken
  /// A different GitHub account is linked already.
  case linked

  init(_ failure: GitHubIdentityFailure) {
    switch failure {
    case .denied: self = .denied
    case .expired: self = .expired
    case .unverifiedEmail: self = .unverified
    case .misconfigured: self = .misconfigured
    case .unavailable: self = .unavailable
    }
  }

  /// Maps the error code in GitHub's redirect (RFC 6749 section 4.1.2.1).
  init(error: String) {
    switch error {
    case "access_denied": self = .denied
    case "temporarily_unavailable", "server_error": self = .unavailable
    default: self = .misconfigured
    }
  }

  /// Maps an error of the core; nil if it is none of these.
  init?(_ error: any Error) {
    guard case ChatError.invalid(let errors) = error, let error = errors.first else { return nil }
    switch (error.field, error.code) {
    case ("registration", "closed"): self = .closed
    case ("registration", _), ("invitation", _): self = .invite
    case ("github", "taken"): self = .taken
    case ("github", "linked"): self = .linked
    default: return nil
    }
  }

  /// Whether it counts like a wrong password, because it is the result of trying codes and states.
  var counts: Bool { self == .state || self == .expired }
}

/// Logs failures of GitHub sign-in for the operator: never a code, a token or a state.
struct GitHubLog: Sendable {
  let logger: Logger

  /// Logs a failure with what is known of it.
  func note(
    _ refusal: GitHubRefusal, _ request: Request, failure: GitHubIdentityFailure? = nil, error: String? = nil
  ) {
    var metadata: Logger.Metadata = ["reason": "\(refusal.rawValue)", "request": "\(request.id)"]
    switch failure {
    case .misconfigured(let word): metadata["github"] = "\(GitHubLog.word(word))"
    case .unavailable(let failure):
      metadata["github"] = "\(failure.message)"
      if let status = failure.status { metadata["github_status"] = "\(status)" }
      if let id = failure.requestID { metadata["github_request"] = "\(id)" }
    default: if let error { metadata["github"] = "\(GitHubLog.word(error))" }
    }
    let isOurs = refusal == .misconfigured || refusal == .unavailable
    logger.log(
      level: isOurs ? .warning : .info, isOurs ? "GitHub sign-in failed" : "a sign-in with GitHub ended",
      metadata: metadata)
  }

  /// One of GitHub's error codes; anything else came from elsewhere, and could contain anything.
  private static func word(_ text: String) -> String {
    let isWord = text.utf8.count <= 60 && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
    return isWord ? text : "unknown"
  }
}
