import Chat
import HTTP
import HTTPServer

/// The registry of the controllers' routes. Each route states who may call it, so that none is open by oversight.
struct Routes {
  private var router = Router()
  /// Identifies the caller.
  let authentication: Authentication
  private let refusals: Refusals
  private let preconditions = Preconditions()
  /// The prefix of all API addresses.
  static let base = "/api/v1"

  init(authentication: Authentication) {
    self.authentication = authentication
    refusals = Refusals(allowances: authentication.allowances)
    router.composesAtOnce = false
  }

  /// The API's routes in order, each with its description.
  private(set) var described: [DescribedRoute] = []

  /// Wraps all routes.
  mutating func use(_ middleware: any Middleware) {
    router.use(middleware)
  }

  /// Adds an API route for signed-in people; others get 401. `answers` are the successful responses. Each request
  /// counts against `allowance`; without one, against `.changes` if the method is not safe. Where `query` has `stored`,
  /// a request that reads storage only (`stored=1`) is free.
  mutating func signedIn(
    _ method: Method, _ pattern: String, _ summary: String, query: [String] = [], members: [String] = [],
    answers: Operation.Success..., bodyLimit: Int? = nil, allowance: Allowance? = nil,
    _ respond: @escaping @Sendable (Visit) async throws -> Response
  ) {
    let (authentication, preconditions, refusals) = (authentication, preconditions, refusals)
    if method == .get { preconditions.add(pattern, respond) }
    let allowance = allowance ?? (method.isSafe ? nil : .changes)
    let offersStored = query.contains("stored")
    add(
      method, pattern,
      Operation(summary: summary, isOpen: false, query: query, members: members, answers: answers), bodyLimit
    ) { request in
      let visit = try await authentication.visit(request)
      return try await refusals.slow(visit.userID.description, request) {
        // DELETE is the one method whose responders do not read the body.
        if method == .delete { try JSONInput.checkTypeIfAny(request) }
        let isFree = offersStored && request.head.query["stored"] == "1"
        let balance = try (isFree ? nil : allowance).flatMap { allowance throws(Problem) in try visit.spend(allowance) }
        var response = try await Asker.$current.withValue(visit.userID) {
          try await preconditions.check(visit, at: pattern, respond)
        }
        if let balance { response.fields.set(balance) }
        return response
      }
    }
  }

  /// Adds an API route for everyone.
  mutating func open(
    _ method: Method, _ pattern: String, _ summary: String, query: [String] = [], members: [String] = [],
    answers: Operation.Success..., bodyLimit: Int? = nil,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    add(
      method, pattern,
      Operation(summary: summary, isOpen: true, query: query, members: members, answers: answers), bodyLimit,
      slowing(respond))
  }

  /// The responder with its refusals slowed down by address.
  private func slowing(
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) -> @Sendable (Request) async throws -> Response {
    let refusals = refusals
    return { request in
      try await refusals.slow(ClientAddress.key(of: request.remoteAddress), request) { try await respond(request) }
    }
  }

  private mutating func add(
    _ method: Method, _ pattern: String, _ operation: Operation, _ bodyLimit: Int?,
    _ respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    router.on(method, Routes.base + pattern, bodyLimit: bodyLimit, suspending: respond)
    described.append(DescribedRoute(method: method, pattern: Routes.base + pattern, operation: operation))
  }

  /// The router, with the responses for unknown routes, and `failure` for errors without a request, which no middleware
  /// wraps.
  func finished(
    errorPage: ErrorPage, defaultFields: Fields, failure: @escaping @Sendable (ProtocolError, String) -> Response
  ) -> Router {
    var router = router
    router.failure = failure
    router.defaultFields = defaultFields
    router.notFound = .immediate { _ in throw Problem.notFound }
    // The router adds Allow to this response, so it is created here and not by the middleware around it.
    router.methodNotAllowed = .immediate { Problem.methodNotAllowed.response(to: $0, page: errorPage) }
    router.composesAtOnce = true
    return router
  }

  /// Adds a route outside the API.
  mutating func page(_ pattern: String, _ respond: @escaping @Sendable (Request) async throws -> Response) {
    router.on(.get, pattern, suspending: slowing(respond))
  }

  /// Adds a route outside the API with an immediate responder.
  mutating func immediatePage(_ pattern: String, _ respond: @escaping @Sendable (Request) throws -> Response) {
    router.on(.get, pattern, immediate: respond)
  }
}

/// A group of related routes.
protocol Controller: Sendable {
  /// Adds the routes.
  func add(to routes: inout Routes)
}
