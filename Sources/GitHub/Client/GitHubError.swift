import Chat
import Outbound

/// A failed request to GitHub, classified by what the caller can do about it.
package struct GitHubError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The quota (hourly; per minute for searches) is used up until `resetAt`.
    case primaryLimit(resetAt: Timestamp)
    /// Too many requests in a short time; no request is sent before `resetAt`.
    case secondaryLimit(resetAt: Timestamp)
    /// The credential is wrong, revoked or expired.
    case unauthorized
    /// Forbidden for this credential, and not because of a rate limit.
    case forbidden
    /// Missing, private, or outside the token's scope; GitHub does not distinguish these.
    case notFound
    /// Deleted (410).
    case gone
    /// The request itself is invalid (400, 422 and the remaining 4xx).
    case invalid
    /// Unavailable for legal reasons (451).
    case blocked
    /// A server error (5xx).
    case server
    /// An unusable response: not the expected JSON, or a redirect that this client does not follow.
    case malformed
    /// The response exceeds the body limit.
    case oversized
    /// The request timed out.
    case timedOut
    /// The connection could not be made, or closed early.
    case unreachable
  }

  package var kind: Kind
  /// GitHub's status code, if there was a response.
  package var status: Int?
  /// GitHub's request id, if there was a response.
  package var requestID: String?
  /// GitHub's or the transport's message: one line, at most 200 characters, never HTML.
  package var message: String

  /// A failure; `message` is cut to one short line.
  package init(kind: Kind, status: Int? = nil, requestID: String? = nil, message: String) {
    self.kind = kind
    self.status = status
    self.requestID = requestID
    self.message = Self.line(message)
  }

  /// Whether retrying the same read shortly may help: true for a 5xx or a timeout. Not for connection failures: the
  /// transport already replaces a dead kept-alive connection, and a refused one is refused again. Never for a 4xx.
  var mayPass: Bool { kind == .server || kind == .timedOut }

  init(_ failure: TransportFailure) {
    switch failure {
    case .timedOut: self.init(kind: .timedOut, message: "GitHub did not answer in time")
    case .oversized: self.init(kind: .oversized, message: "GitHub's response is too long")
    case .cancelled: self.init(kind: .unreachable, message: "the request was cancelled")
    case .unreachable(let words): self.init(kind: .unreachable, message: words)
    }
  }

  /// The error for a response of GitHub's OAuth pages that has neither the expected members nor an error code. GitHub's
  /// message is left out, because it may contain a secret.
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

  /// The failure as reported to users of the directory.
  package var directoryFailure: DirectoryFailure {
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
