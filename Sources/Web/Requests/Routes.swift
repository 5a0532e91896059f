import HTTP
import HTTPServer

/// Where controllers put their routes: each says for whom it is, so that none is open by oversight.
struct Routes {
  private var router = Router()
  /// Who may ask.
  let authentication: Authentication
  /// What all addresses of the API begin with.
  static let base = "/api/v1"

  init(authentication: Authentication) {
    self.authentication = authentication
    router.composesAtOnce = false
  }

  /// The methods and patterns that have been added.
  var all: [(method: HTTP.Method, pattern: String)] { router.routes() }

  /// Wraps all routes that are added from now on.
  mutating func use(_ middleware: any Middleware) {
    router.use(middleware)
  }

  /// A route of the API for people who are signed in; others get 401.
  mutating func signedIn(
    _ method: Method, _ pattern: String, bodyLimit: Int? = nil,
    _ respond: @escaping @Sendable (Visit) async throws -> Response
  ) {
    let authentication = authentication
    router.on(
      method, Routes.base + pattern, bodyLimit: bodyLimit,
      suspending: { request in
        let visit = try await authentication.visit(request)
        // The one method whose responders read no body.
        if method == .delete { try JSONInput.checkTypeIfAny(request) }
        return try await respond(visit)
      })
  }

  /// A route of the API for everybody.
  mutating func open(
    _ method: Method, _ pattern: String, bodyLimit: Int? = nil,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    router.on(method, Routes.base + pattern, bodyLimit: bodyLimit, suspending: respond)
  }

  /// The router, with what it answers where there is no route, and `failure` where there is no request to speak of:
  /// no middleware is around that.
  func finished(
    errorPage: ErrorPage, failure: @escaping @Sendable (ProtocolError, String) -> Response
  ) -> Router {
    var router = router
    router.failure = failure
    router.notFound = .immediate { _ in throw Problem.notFound }
    // The router adds Allow to this answer, so it is made here and not by the middleware around it.
    router.methodNotAllowed = .immediate { Problem.methodNotAllowed.response(to: $0, page: errorPage) }
    router.composesAtOnce = true
    return router
  }

  /// A route outside of the API.
  mutating func page(_ pattern: String, _ respond: @escaping @Sendable (Request) async throws -> Response) {
    router.on(.get, pattern, suspending: respond)
  }

  /// A route outside of the API that is answered on the spot.
  mutating func immediatePage(_ pattern: String, _ respond: @escaping @Sendable (Request) throws -> Response) {
    router.on(.get, pattern, immediate: respond)
  }
}

/// Routes that belong together.
protocol Controller: Sendable {
  /// Adds them.
  func add(to routes: inout Routes)
}
