import HTTP

/// Chooses the endpoint for a request by method and path. Built once, then immutable: share it among the loops.
///
/// Patterns consist of literal segments, `:name` for one segment, and `*name` for the rest:
/// `/rooms/:room/messages/:seq`. Literals take precedence over parameters, parameters over the rest. GET's endpoint
/// also serves HEAD. OPTIONS is 204 with Allow, a method missing from the path 405 with Allow (RFC 9110 section
/// 15.5.6), an unknown method 501 (section 9.1), a body with a content coding 415 (section 15.5.16), a partial PUT 400
/// (section 14.5).
package struct Router: Application {
  private struct Route {
    let method: HTTP.Method
    let pattern: String
    let names: [String]
    let node: Int
    let responder: Responder
    let bodyLimit: Int?
  }

  /// The endpoints of one pattern, wrapped. A class for the same reason as the table.
  private final class Methods: Sendable {
    /// One method of the path.
    struct Bound: Sendable {
      let method: HTTP.Method
      let names: [String]
      let endpoint: Endpoint
    }

    let endpoints: [Bound]
    let options: Endpoint
    let methodNotAllowed: Endpoint

    init(endpoints: [Bound], options: Endpoint, methodNotAllowed: Endpoint) {
      self.endpoints = endpoints
      self.options = options
      self.methodNotAllowed = methodNotAllowed
    }

    /// Returns an index, because a closure would receive copies of the endpoints.
    func index(of method: HTTP.Method) -> Int? {
      endpoints.indices.first { endpoints[$0].method == method }
    }
  }

  /// The routing table, rebuilt on registration. A class, so that a lookup costs only one reference.
  private final class Table: Sendable {
    let tree: RouteTree
    /// Indexed by tree node; nil where no pattern ends.
    let methods: [Methods?]
    let missing: Endpoint
    let unknownMethod: Endpoint
    let serverOptions: Endpoint
    let codedBody: Endpoint
    let partialPut: Endpoint
    /// Registered methods that are not well known.
    let ownMethods: Set<HTTP.Method>

    init(
      tree: RouteTree, methods: [Methods?], missing: Endpoint, unknownMethod: Endpoint, serverOptions: Endpoint,
      codedBody: Endpoint, partialPut: Endpoint, ownMethods: Set<HTTP.Method>
    ) {
      self.tree = tree
      self.methods = methods
      self.missing = missing
      self.unknownMethod = unknownMethod
      self.serverOptions = serverOptions
      self.codedBody = codedBody
      self.partialPut = partialPut
      self.ownMethods = ownMethods
    }

    func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
      guard head.method.isKnown || ownMethods.contains(head.method) else { return (unknownMethod, [:]) }
      if head.targetForm == .asterisk { return (serverOptions, [:]) }
      guard let (node, values) = tree.find(head, isEnd: { methods[$0] != nil }), let found = methods[node] else {
        return (missing, [:])
      }
      let exact = found.index(of: head.method)
      let index = head.method == .head ? exact ?? found.index(of: .get) : exact
      guard let index else { return (head.method == .options ? found.options : found.methodNotAllowed, [:]) }
      if head.framing != .none || head.method == .put, let refusal = refusal(of: head) { return (refusal, [:]) }
      if values.isEmpty { return (found.endpoints[index].endpoint, [:]) }
      return (
        found.endpoints[index].endpoint,
        Dictionary(uniqueKeysWithValues: zip(found.endpoints[index].names, values))
      )
    }

    /// The response to requests no responder can handle, for any path.
    private func refusal(of head: RequestHead) -> Endpoint? {
      if head.method == .put, head[.contentRange] != nil { return partialPut }
      let codings = head.all(.contentEncoding).joined(separator: ",").lowercased()
      return codings.isEmpty || codings == ContentCoding.identity.rawValue ? nil : codedBody
    }
  }

  private var registered: [Route] = []
  private var middleware: [any Middleware] = []
  private var tree = RouteTree()
  private var table: Table

  /// Responds if no pattern matches; by default 404 as problem+json. Middleware wraps it.
  package var notFound: Responder { didSet { compose() } }
  /// Responds if the path lacks the method; by default 405 as problem+json. The router adds Allow. Middleware wraps it.
  package var methodNotAllowed: Responder { didSet { compose() } }

  /// Responds if no responder can: to a malformed request, an exceeded limit, an unknown method, a thrown error.
  /// Middleware wraps it for unknown methods only, since otherwise there may be no request. By default a problem of
  /// type `about:blank`.
  package var failure: @Sendable (_ error: ProtocolError, _ requestID: String) -> Response = {
    Response(problem: $0, requestID: $1)
  }
  {
    didSet { compose() }
  }

  /// See `Application`.
  package var defaultFields = Fields()

  /// Whether each registration takes effect at once; turn it off during many registrations to wrap only once.
  package var composesAtOnce = true { didSet { compose() } }

  package init() {
    notFound = Router.problem(ProtocolError(.notFound, "nothing is here"))
    methodNotAllowed = Router.problem(ProtocolError(.methodNotAllowed, "the method is not one of Allow"))
    let placeholder = Endpoint(responder: notFound, wantsBody: false, pattern: "")
    table = Table(
      tree: tree, methods: [], missing: placeholder, unknownMethod: placeholder, serverOptions: placeholder,
      codedBody: placeholder, partialPut: placeholder, ownMethods: [])
    compose()
  }

  /// Registers an immediate responder. Traps on a second one for the same method and pattern.
  package mutating func on(
    _ method: HTTP.Method, _ pattern: String, bodyLimit: Int? = nil,
    immediate respond: @escaping @Sendable (Request) throws -> Response
  ) {
    on(method, pattern, bodyLimit: bodyLimit, .immediate(respond))
  }

  /// Registers a suspending responder. Traps on a second one for the same method and pattern.
  package mutating func on(
    _ method: HTTP.Method, _ pattern: String, bodyLimit: Int? = nil,
    suspending respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    on(method, pattern, bodyLimit: bodyLimit, .suspending(respond))
  }

  /// Registers a responder. Traps on a second one for the same method and pattern.
  package mutating func on(
    _ method: HTTP.Method, _ pattern: String, bodyLimit: Int? = nil, _ responder: Responder
  ) {
    let parsed = RoutePattern(pattern)
    let node = tree.insert(parsed)
    precondition(
      !registered.contains { $0.node == node && $0.method == method }, "registered twice: \(method) \(pattern)")
    registered.append(
      Route(
        method: method, pattern: pattern, names: parsed.names, node: node, responder: responder, bodyLimit: bodyLimit))
    compose()
  }

  /// Wraps all endpoints, including earlier ones, 404 and 405. The first middleware is the outermost.
  package mutating func use(_ middleware: any Middleware) {
    self.middleware.append(middleware)
    compose()
  }

  /// The registered methods and patterns in order, without the implied HEAD and OPTIONS.
  package func routes() -> [(method: HTTP.Method, pattern: String)] {
    registered.map { ($0.method, $0.pattern) }
  }

  /// The endpoint for a request; 404, 405 and OPTIONS have endpoints, too.
  package func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
    table.endpoint(for: head)
  }
}

extension Router {
  package func answer(to error: ProtocolError, requestID: String) -> Response {
    failure(error, requestID)
  }
}

// MARK: Composition

extension Router {
  /// Rebuilds all wrapped endpoints. Registration is rare and early; requests use the resulting closures.
  private mutating func compose() {
    guard composesAtOnce else { return }
    func refusal(_ status: Status, _ detail: String) -> Responder {
      .immediate { [failure] in failure(ProtocolError(status, detail), $0.id) }
    }
    let unknown = refusal(.notImplemented, "the method is unknown")
    let coded = refusal(.unsupportedMediaType, "send the body without a content coding")
    let partial = refusal(.badRequest, "send the whole: a part cannot be put")
    var methods: [Methods?] = Array(repeating: nil, count: tree.nodes.count)
    for (node, routes) in Dictionary(grouping: registered, by: \.node) {
      let allowed = Set(routes.map(\.method))
      methods[node] = Methods(
        endpoints: routes.map { route in
          Methods.Bound(
            method: route.method, names: route.names,
            endpoint: endpoint(route.responder, route.pattern, bodyLimit: route.bodyLimit))
        },
        options: options(allowed, routes[0].pattern),
        methodNotAllowed: endpoint(
          methodNotAllowed.adding(.allow, Router.allow(allowed)), routes[0].pattern, wantsBody: false))
    }
    table = Table(
      tree: tree, methods: methods, missing: endpoint(notFound, "(not found)", wantsBody: false),
      unknownMethod: endpoint(unknown, "(unknown method)", wantsBody: false),
      serverOptions: options(Set(registered.map(\.method)), "*"),
      codedBody: endpoint(coded.adding(.acceptEncoding, "identity"), "(coded body)", wantsBody: false),
      partialPut: endpoint(partial, "(partial PUT)", wantsBody: false),
      ownMethods: Set(registered.map(\.method).filter { !$0.isKnown }))
  }

  private func endpoint(
    _ responder: Responder, _ pattern: String, bodyLimit: Int? = nil, wantsBody: Bool = true
  ) -> Endpoint {
    let wrapped = middleware.reversed().reduce(responder) { $1.wrap($0, pattern: pattern) }
    return Endpoint(responder: wrapped, bodyLimit: bodyLimit, wantsBody: wantsBody, pattern: pattern)
  }

  /// RFC 9110 section 9.3.7.
  private func options(_ methods: Set<HTTP.Method>, _ pattern: String) -> Endpoint {
    let responder = Responder.immediate { _ in Response(status: .noContent) }
    return endpoint(responder.adding(.allow, Router.allow(methods)), pattern, wantsBody: false)
  }

  /// The value of Allow: registered and implied methods (RFC 9110 section 10.2.1).
  private static func allow(_ methods: Set<HTTP.Method>) -> String {
    let implied: Set<HTTP.Method> = methods.contains(.get) ? [.head, .options] : [.options]
    return methods.union(implied).map(\.name).sorted().joined(separator: ", ")
  }

  private static func problem(_ error: ProtocolError) -> Responder {
    .immediate { Response(problem: error, requestID: $0.id) }
  }
}

extension Responder {
  fileprivate func adding(_ name: FieldName, _ value: String) -> Responder {
    transformed { _, response in
      var response = response
      response.fields.set(name, value)
      return response
    }
  }
}
