import Chat
import HTTP
import HTTPServer

/// Maps the core's errors to statuses; the only place that does.
extension Problem {
  /// The problem for an error; nil for an unexpected one.
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
      // To clients, something that is over no longer exists; the reason is told only to those who knew of it.
      self = .notFound
      detail = error.detail
      errors = [error]
    case .unauthenticated:
      self = .unauthenticated
    case .forbidden(let detail):
      self.init(name: .forbidden, status: .forbidden, detail: detail)
    case .mustInvite:
      let detail = "This person decides who adds them to groups. Invite them instead."
      self.init(
        name: .forbidden, status: .forbidden, detail: detail,
        errors: [FieldError(field: "user", code: "invite", detail: detail)])
    case .conflict(let detail):
      self.init(name: .conflict, status: .conflict, detail: detail)
    case .taken(let error):
      self.init(name: .conflict, status: .conflict, detail: error.detail, errors: [error])
    case .rateLimited(let seconds):
      self.init(
        name: .rateLimited, status: .tooManyRequests, detail: "Too many requests. Try again in \(seconds) s.",
        retryAfter: seconds)
    case .tooManyStreams(let limit):
      self.init(
        name: .rateLimited, status: .tooManyRequests,
        detail: "An account can have \(limit) event streams open at once. Close one of them first.",
        retryAfter: 5)
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
        detail: "GitHub's rate limit for this server has been reached.",
        retryAfter: resetAt.map { Int(max(1, ($0.milliseconds - now.milliseconds + 999) / 1000)) }, github: failure)
    case .notFound:
      self = .notFound
      detail = "GitHub has nobody with this name."
    case .refused, .unauthorized, .broken:
      self.init(
        name: .githubUnavailable, status: .badGateway, detail: "GitHub could not answer the request.", github: failure)
    case .unreachable:
      self.init(
        name: .githubUnavailable, status: .serviceUnavailable, detail: "GitHub cannot be reached.", github: failure)
    }
  }

  /// The problem for an error of the server itself: invalid syntax or an exceeded limit.
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
