import Chat
import HTTP
import HTTPServer
import Logging

/// Turns what responders throw into problems. What nobody foresaw is logged by its type and shown without details:
/// its text might hold what people wrote (SECURITY 15).
struct ErrorAnswers: Middleware {
  let clock: any ChatClock
  let page: ErrorPage
  let logger: Logger

  func wrap(_ next: Responder, pattern: String) -> Responder {
    next.recovering { answer($1, $0, pattern) }
  }

  private func answer(_ error: any Error, _ request: Request, _ pattern: String) -> Response {
    if let problem = Problem(error, now: clock.now) { return problem.response(to: request, page: page) }
    logger.error(
      "A responder failed",
      metadata: [
        "error": "\(type(of: error))", "route": "\(request.head.method) \(pattern)", "request": "\(request.id)",
      ])
    let problem = Problem(
      name: .internal, status: .internalServerError,
      detail: "The server made a mistake. It has been logged under this request's id.")
    return problem.response(to: request, page: page)
  }
}
