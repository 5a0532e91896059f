import Chat
import HTTP
import HTTPServer

/// The one place where the core's errors become statuses.
extension Problem {
  /// The problem that an error is; nil for one that nobody foresaw.
  init?(_ error: any Error, now: Timestamp) {
    switch error {
    case let problem as Problem: self = problem
    case let error as ChatError: self.init(error)
    case let failure as DirectoryFailure: self.init(failure, now: now)
    case let error as ProtocolError: self.init(error)
    default: return nil
    }
  }

  init(_ error: ChatError) {
    switch error {
    case .invalid(let errors):
      let detail = errors.count == 1 ? errors[0].detail : "Several fields are wrong; see errors."
      self.init(name: .invalid, status: .unprocessableContent, detail: detail, errors: errors)
    case .notFound:
      self = .notFound
    case .over(let error):
      // What is over is not there; why, whoever knew of it may be told.
      self = .notFound
      detail = error.detail
      errors = [error]
    case .unauthenticated:
      self = .unauthenticated
    case .forbidden(let detail):
      self.init(name: .forbidden, status: .forbidden, detail: detail)
    case .conflict(let detail):
      self.init(name: .conflict, status: .conflict, detail: detail)
    case .rateLimited(let seconds):
      self.init(
        name: .rateLimited, status: .tooManyRequests, detail: "Too many tries. Try again in \(seconds) s.",
        retryAfter: seconds)
    case .storageFull:
      self.init(
        name: .unavailable, status: .insufficientStorage, detail: "The server's disk is full; nothing was stored.")
    case .unavailable(let detail):
      self.init(name: .unavailable, status: .serviceUnavailable, detail: detail, retryAfter: 1)
    }
  }

  init(_ failure: DirectoryFailure, now: Timestamp) {
    switch failure.kind {
    case .rateLimited(let resetAt):
      self.init(
        name: .githubRateLimited, status: .tooManyRequests,
        detail: "GitHub answers no more questions from this server for now.",
        retryAfter: resetAt.map { Int(max(1, ($0.milliseconds - now.milliseconds + 999) / 1000)) }, github: failure)
    case .notFound:
      self = .notFound
      detail = "GitHub knows nobody of this name."
    case .refused, .unauthorized, .broken:
      self.init(
        name: .githubUnavailable, status: .badGateway, detail: "GitHub did not answer the question.", github: failure)
    case .unreachable:
      self.init(
        name: .githubUnavailable, status: .serviceUnavailable, detail: "GitHub cannot be reached.", github: failure)
    }
  }

  /// What the server itself refuses: broken syntax and exceeded limits.
  init(_ error: ProtocolError) {
    let name: Name
    switch error.status.code {
    case 413, 414, 431: name = .tooLarge
    case 415: name = .unsupportedMediaType
    case 500: name = .internal
    case 501...: name = .unavailable
    default: name = .invalid
    }
    self.init(name: name, status: error.status, detail: error.detail)
  }
}
