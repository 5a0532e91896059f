import Chat
import Outbound

/// Why GitHub did not give what was asked for, by what can be done about it.
public struct GitHubError: Error, Hashable, Sendable {
  /// What kind of failure it was.
  public enum Kind: Hashable, Sendable {
    /// The hourly (search: minutely) quota is used up, until then.
    case primaryLimit(resetAt: Timestamp)
    /// Asked too fast; not again before then.
    case secondaryLimit(resetAt: Timestamp)
    /// The credential is wrong, revoked or expired.
    case unauthorized
    /// Refused for this credential, and no limit.
    case forbidden
    /// Missing, private, or outside the token's scope: not to be told apart.
    case notFound
    /// Was there once.
    case gone
    /// The question itself is not accepted (400, 422 and what is left of 4xx).
    case invalid
    /// Unavailable for legal reasons.
    case blocked
    /// A 5xx.
    case server
    /// An answer that makes no sense: not the JSON expected, or a redirect to where this client does not go.
    case malformed
    /// An answer longer than is read.
    case oversized
    /// The time was up.
    case timedOut
    /// No connection, or one that ended too early.
    case unreachable
  }

  /// What kind of failure it was.
  public var kind: Kind
  /// GitHub's status, where it answered.
  public var status: Int?
  /// GitHub's request id, where it answered.
  public var requestID: String?
  /// GitHub's own message or the transport's: one line, at most 200 characters, never HTML.
  public var message: String

  /// A failure from its parts; the message is cut to one short line.
  public init(kind: Kind, status: Int? = nil, requestID: String? = nil, message: String) {
    self.kind = kind
    self.status = status
    self.requestID = requestID
    self.message = Self.line(message)
  }

  /// Whether the same read may succeed a moment later: a 5xx, or a time-out. Not a connection that failed: a kept one
  /// that turned out to be dead is replaced below, and a refused one is refused again. Never a 4xx.
  var mayPass: Bool { kind == .server || kind == .timedOut }

  init(_ failure: TransportFailure) {
    switch failure {
    case .timedOut: self.init(kind: .timedOut, message: "GitHub did not answer in time")
    case .oversized: self.init(kind: .oversized, message: "GitHub's answer is too long")
    case .unreachable(let words): self.init(kind: .unreachable, message: words)
    }
  }

  /// What an answer of GitHub's OAuth pages is when it has neither what was asked for nor an error in it. GitHub's own
  /// words are not taken from it: it may hold a secret.
  init(oauth response: TransportResponse, now: Timestamp) {
    let rule = LimitRule(response, resource: "oauth", message: nil, now: now)
    let kind: Kind =
      switch (rule.verdict, response.status) {
      case (.primary(let seconds), _): .primaryLimit(resetAt: now.adding(seconds: seconds))
      case (.secondary(let seconds), _): .secondaryLimit(resetAt: now.adding(seconds: seconds ?? 60))
      case (_, 500...): .server
      default: .malformed
      }
    let message =
      response.status == 200 ? "GitHub's answer is not what was expected" : "GitHub answered \(response.status)"
    self.init(
      kind: kind, status: response.status,
      requestID: response.requestID,
      message: message)
  }

  /// The failure as the directory's readers see it.
  public var directoryFailure: DirectoryFailure {
    let kind: DirectoryFailure.Kind =
      switch kind {
      case .primaryLimit(let resetAt), .secondaryLimit(let resetAt): .rateLimited(resetAt: resetAt)
      case .unauthorized: .unauthorized
      case .forbidden, .invalid, .blocked: .refused
      case .notFound, .gone: .notFound
      case .server, .malformed, .oversized: .broken
      case .timedOut, .unreachable: .unreachable
      }
    return DirectoryFailure(kind: kind, status: status, requestID: requestID, message: message)
  }

  private static func line(_ text: String) -> String {
    let words = text.split {
      $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return String(words.joined(separator: " ").prefix(200))
  }
}
