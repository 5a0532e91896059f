import HTTP

/// Chooses the endpoint for a request by method and path. Built once, then immutable: share it among the loops.
///
/// Patterns are made of literal segments, `:name` for one segment, and `*name` for all the rest:
/// `/rooms/:room/messages/:seq`. A literal goes before a parameter, a parameter before the rest. HEAD is answered by
/// GET's endpoint, OPTIONS by 204 with Allow, a method that the path does not have by 405 with Allow (RFC 9110 section
/// 15.5.6), one that nobody knows by 501 (section 9.1). No responder sees a body in a content coding, which is 415
/// (section 15.5.16), nor a part of a PUT, which is 400 (section 14.5).
public struct Router: Application {
  private struct Route {
    let method: HTTP.Method
    let pattern: String
    let names: [String]
    let node: Int
    let responder: Responder
    let bodyLimit: Int?
  }

  /// What one pattern's path can do, all wrapped. An object like the table, and for the same reason.
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

    /// By index, since a closure would be given a copy of each endpoint.
    func index(of method: HTTP.Method) -> Int? {
      endpoints.indices.first { endpoints[$0].method == method }
    }
  }

  /// All that a request needs, made anew when something is registered. One object, so that a request that asks the
  /// router costs no more than a reference to it.
  private final class Table: Sendable {
    let tree: RouteTree
    /// By the tree's nodes; nil where no pattern ends.
    let methods: [Methods?]
    let missing: Endpoint
    let unknownMethod: Endpoint
    let serverOptions: Endpoint
    let codedBody: Endpoint
    let partialPut: Endpoint
    /// Registered methods that are not among those everybody knows.
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

    /// The answer to what no responder here can do, whatever it is for.
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

  /// Answers where no pattern matches; 404 as problem+json by default. Middleware is wrapped around it.
  public var notFound: Responder { didSet { compose() } }
  /// Answers where the path has no such method; 405 as problem+json by default. Allow is added to its answer, and
  /// middleware is wrapped around it.
  public var methodNotAllowed: Responder { didSet { compose() } }

  /// Answers where no responder has: a broken request, a limit, a method that nobody knows, a responder that threw.
  /// Middleware is not wrapped around it, for there may be no request to show it; around the unknown method it is. A
  /// problem of type `about:blank` by default.
  public var failure: @Sendable (_ error: ProtocolError, _ requestID: String) -> Response = {
    Response(problem: $0, requestID: $1)
  }
  {
    didSet { compose() }
  }

  /// Whether each registration takes effect at once; where many follow each other, turning it off until the last
  /// saves wrapping all of them anew for each.
  public var composesAtOnce = true { didSet { compose() } }

  /// A router without routes.
  public init() {
    notFound = Router.problem(ProtocolError(.notFound, "nothing is here"))
    methodNotAllowed = Router.problem(ProtocolError(.methodNotAllowed, "the method is not one of Allow"))
    let placeholder = Endpoint(responder: notFound, wantsBody: false, pattern: "")
    table = Table(
      tree: tree, methods: [], missing: placeholder, unknownMethod: placeholder, serverOptions: placeholder,
      codedBody: placeholder, partialPut: placeholder, ownMethods: [])
    compose()
  }

  /// Registers a responder that answers on the spot. A second one for the same method and pattern traps.
  public mutating func on(
    _ method: HTTP.Method, _ pattern: String, bodyLimit: Int? = nil,
    immediate respond: @escaping @Sendable (Request) throws -> Response
  ) {
    on(method, pattern, bodyLimit: bodyLimit, .immediate(respond))
  }

  /// Registers a responder that may suspend. A second one for the same method and pattern traps.
  public mutating func on(
    _ method: HTTP.Method, _ pattern: String, bodyLimit: Int? = nil,
    suspending respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    on(method, pattern, bodyLimit: bodyLimit, .suspending(respond))
  }

  /// Registers a responder of either kind. A second one for the same method and pattern traps.
  public mutating func on(
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

  /// Wraps all endpoints, those registered before and 404 and 405 among them. The first used is the outermost.
  public mutating func use(_ middleware: any Middleware) {
    self.middleware.append(middleware)
    compose()
  }

  /// The registered methods and patterns in their order, without the HEAD and OPTIONS that come by themselves.
  public func routes() -> [(method: HTTP.Method, pattern: String)] {
    registered.map { ($0.method, $0.pattern) }
  }

  /// The endpoint for a request; not found, not allowed and OPTIONS are endpoints too.
  public func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
    table.endpoint(for: head)
  }
}

extension Router {
  /// The answer of `failure`.
  public func answer(to error: ProtocolError, requestID: String) -> Response {
    failure(error, requestID)
  }
}

// MARK: Composition

extension Router {
  /// Wraps everything anew. Registration is rare and early; requests find finished closures.
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

  /// The value of Allow: what is registered, and what comes by itself (RFC 9110 section 10.2.1).
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
