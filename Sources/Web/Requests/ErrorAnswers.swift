import Chat
import HTTP
import HTTPServer
import Logging

/// Maps errors thrown by responders to problems. Unexpected errors are logged by type and shown without details,
/// because their text might contain people's messages.
struct ErrorAnswers: Sendable {
  let clock: any ChatClock
  let page: ErrorPage
  let logger: Logger

  /// The response to a request whose responder threw `error`; `pattern` is the route's.
  func answer(to error: any Error, of request: Request, pattern: String) -> Response {
    if let problem = Problem(error, now: clock.now) { return problem.response(to: request, page: page) }
    logger.error(
      "A responder failed",
      metadata: [
        "error": "\(type(of: error))", "route": "\(request.head.method) \(pattern)", "request": "\(request.id)",
      ])
    let problem = Problem(
      name: .internal, status: .internalServerError,
      detail: "An internal error occurred. It has been logged with this request's id.")
    return problem.response(to: request, page: page)
  }
}
