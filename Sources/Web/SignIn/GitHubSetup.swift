import Chat
import HTTP
import HTTPServer
import Logging

/// What signing in with GitHub needs: GitHub's word, and the address to come back to.
struct GitHubSetup: Sendable {
  let identity: any GitHubIdentity
  /// This instance's own origin, `https://chat.example.org`; never from Host (SECURITY 14).
  let origin: @Sendable () -> String
  /// Whether the operator has told it; otherwise it is where this program listens.
  let isTold: Bool

  /// Where GitHub sends the browser back to.
  var redirectURI: String { origin() + "/auth/github/callback" }

  /// Whether a request came by another name than the one to come back to (`localhost` for `127.0.0.1`): its cookies would
  /// not be there at the end. Behind a proxy that is not known, since that may change Host.
  func isElsewhere(_ head: RequestHead) -> Bool {
    guard !isTold, let host = head.host?.lowercased() else { return false }
    return origin().lowercased() != "http://" + host
  }

  /// Where the browser is sent for this flow.
  func address(for flow: GitHubFlow) -> String {
    identity.authorizationAddress(
      state: flow.state, codeChallenge: flow.challenge, redirectURI: redirectURI)
  }
}

/// Why somebody comes back from GitHub with nothing, as the page is told; the words for it are the page's.
enum GitHubRefusal: String, Error, CaseIterable, Sendable {
  /// He said no.
  case denied
  /// The flow, or GitHub's code, is too old or was used.
  case expired
  /// His address at GitHub is not verified.
  case unverified
  /// The application's settings are wrong, or there is none.
  case misconfigured
  /// GitHub cannot be asked.
  case unavailable
  /// No accounts are made here.
  case closed
  /// Accounts are made by invitation here, and there was none that helps.
  case invite
  /// This browser has not begun what ends here, or as somebody else.
  case state
  /// The GitHub account is somebody else's here.
  case taken
  /// Another GitHub account is linked already.
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

  /// What GitHub's redirect says instead of bringing a code (RFC 6749 section 4.1.2.1).
  init(error: String) {
    switch error {
    case "access_denied": self = .denied
    case "temporarily_unavailable", "server_error": self = .unavailable
    default: self = .misconfigured
    }
  }

  /// What the core refused, where that is one of these.
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

  /// Whether it counts as a wrong password does: what somebody who tries codes and states would get.
  var counts: Bool { self == .state || self == .expired }
}

/// Tells the operator what went wrong with GitHub: never a code, a token or a state (SECURITY 15).
struct GitHubLog: Sendable {
  let logger: Logger

  /// A failure, with what is known of it.
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
      level: isOurs ? .warning : .info, isOurs ? "GitHub did not say who somebody is" : "a sign-in with GitHub ended",
      metadata: metadata)
  }

  /// One of GitHub's words for errors; what is none came from elsewhere, and may say anything.
  private static func word(_ text: String) -> String {
    let isWord = text.utf8.count <= 60 && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
    return isWord ? text : "unknown"
  }
}
