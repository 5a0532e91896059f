import EventLoop
import HTTP
import HTTPServer

/// The work around every responder, in one pass: checks of host and origin, errors, compression and metrics. As
/// separate layers, each would cost two closures and a copy of the request, together as much as parsing the request and
/// responding.
///
/// Sessions are left to the responders (`Routes.signedIn`). The server sets the security headers and the request id
/// (`Application.defaultFields`), because responses to malformed requests have them too.
struct Pipeline: Middleware {
  let host: HostCheck
  let sameOrigin: SameOrigin
  let errors: ErrorAnswers
  let compression: Compression
  let meter: RequestMeter

  func wrap(_ next: Responder, pattern: String) -> Responder {
    let route = meter.route(pattern)
    switch next {
    case .immediate(let respond):
      return .immediate { request in
        let began = MonotonicTime.now()
        var response: Response
        do {
          try host.check(request.head)
          try sameOrigin.check(request.head)
          response = try respond(request)
        } catch {
          response = errors.answer(to: error, of: request, pattern: pattern)
        }
        response = compression.coded(response, for: request.head)
        route.count(response.status, since: began)
        return response
      }
    case .suspending(let respond):
      return .suspending { request in
        let began = MonotonicTime.now()
        var response: Response
        do {
          try host.check(request.head)
          try sameOrigin.check(request.head)
          response = try await respond(request)
        } catch {
          response = errors.answer(to: error, of: request, pattern: pattern)
        }
        response = await compression.codedElsewhere(response, for: request.head)
        route.count(response.status, since: began)
        return response
      }
    }
  }
}
