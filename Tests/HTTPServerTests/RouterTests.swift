import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@Suite("Router")
struct RouterTests {
  /// Responds with its name and its parameters.
  static func echo(_ name: String) -> @Sendable (Request) -> Response {
    { request in
      let parameters = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return Response(body: .bytes(Array(([name] + parameters).joined(separator: " ").utf8)))
    }
  }

  static func router(_ routes: [(HTTP.Method, String)]) -> Router {
    var router = Router()
    for (method, pattern) in routes {
      router.on(method, pattern, immediate: echo("\(method) \(pattern)"))
    }
    return router
  }

  func text(_ router: Router, _ method: HTTP.Method, _ target: String) async throws -> String {
    let response = try await TestClient.inMemory(router).send(method, target)
    return response.status == .ok ? response.text : "\(response.status.code)"
  }

  @Test(
    "a path finds its pattern: literal before parameter before rest, with backtracking",
    arguments: [
      ("/", "GET /"), ("/rooms", "GET /rooms"), ("/rooms/", "404"), ("/rooms/7", "GET /rooms/:room room=7"),
      ("/rooms/new", "GET /rooms/new"), ("/rooms/new/messages", "GET /rooms/:room/messages room=new"),
      ("/rooms/7/messages/9", "GET /rooms/:id/messages/:seq id=7 seq=9"), ("/rooms/7/messages/9/x", "404"),
      ("/rooms//messages", "404"), ("//", "404"), ("//rooms", "404"), ("/roomsx", "404"), ("/room", "404"),
      ("/ROOMS", "404"), ("/files/a", "GET /files/*path path=a"), ("/files/a/b/c", "GET /files/*path path=a/b/c"),
      ("/files/", "404"), ("/files", "404"), ("/files/a/raw", "GET /files/:name/raw name=a"),
      ("/files/a/b/raw", "GET /files/*path path=a/b/raw"), ("/rooms?x=/new", "GET /rooms"),
      ("http://a.example", "GET /"), ("http://a.example/rooms/7", "GET /rooms/:room room=7"),
    ])
  func matching(target: String, answer: String) async throws {
    let router = Self.router([
      (.get, "/"), (.get, "/rooms"), (.get, "/rooms/:room"), (.get, "/rooms/new"), (.get, "/rooms/:room/messages"),
      (.get, "/rooms/:id/messages/:seq"), (.get, "/files/*path"), (.get, "/files/:name/raw"),
    ])
    #expect(try await text(router, .get, target) == answer)
  }

  @Test("parameters are percent-decoded once, and an encoded slash does not separate")
  func decoding() async throws {
    let router = Self.router([(.get, "/users/:login"), (.get, "/files/*path"), (.get, "/a b")])
    #expect(try await text(router, .get, "/users/shipit%5Bbot%5D") == "GET /users/:login login=shipit[bot]")
    #expect(try await text(router, .get, "/users/a%2Fb") == "GET /users/:login login=a/b")
    #expect(try await text(router, .get, "/users/%2541") == "GET /users/:login login=%41")
    #expect(try await text(router, .get, "/%75sers/x") == "GET /users/:login login=x")
    #expect(try await text(router, .get, "/files/%C3%A9/b%20c") == "GET /files/*path path=é/b c")
    #expect(try await text(router, .get, "/a%20b") == "GET /a b")
    #expect(try await text(router, .get, "/users%2Fx") == "404")
  }

  @Test("HEAD uses GET's endpoint without the body, unless HEAD is registered")
  func head() async throws {
    var router = Self.router([(.get, "/a")])
    router.on(.head, "/b") { _ in Response(status: .created) }
    router.on(.get, "/b", immediate: Self.echo("b"))
    let client = TestClient.inMemory(router)
    let get = try await client.send(.get, "/a")
    let head = try await client.send(.head, "/a")
    #expect(head.status == .ok && head.body.isEmpty)
    #expect(head.fields["content-length"] == get.fields["content-length"])
    #expect(try await client.send(.head, "/b").status == .created)
  }

  @Test(
    "a method missing from the path is 405 with Allow; OPTIONS is 204 with Allow (RFC 9110 sections 9.3.7, 15.5.6)"
  )
  func allow() async throws {
    let client = TestClient.inMemory(Self.router([(.get, "/a"), (.post, "/a"), (.delete, "/b/:x")]))
    let refused = try await client.send(.put, "/a")
    #expect(refused.status == .methodNotAllowed)
    #expect(refused.fields[.allow] == "GET, HEAD, OPTIONS, POST")
    #expect(refused.fields[.contentType] == "application/problem+json")
    let options = try await client.send(.options, "/b/1")
    #expect(options.status == .noContent && options.fields[.allow] == "DELETE, OPTIONS" && options.body.isEmpty)
    #expect(try await client.send(.get, "/b/1").fields[.allow] == "DELETE, OPTIONS")
    #expect(try await client.send(.options, "*").fields[.allow] == "DELETE, GET, HEAD, OPTIONS, POST")
    #expect(try await client.send(.options, "/none").status == .notFound)
    #expect(try await client.send(.trace, "/a").status == .methodNotAllowed)
  }

  @Test("an unknown method is 501, unless it is registered (RFC 9110 section 9.1)")
  func unknownMethod() async throws {
    let purge = try #require(Method("PURGE"))
    #expect(try await text(Self.router([(.get, "/a")]), purge, "/a") == "501")
    #expect(try await text(Self.router([(purge, "/a")]), purge, "/a") == "PURGE /a")
    let copy = try #require(Method("COPY"))
    #expect(try await text(Self.router([(purge, "/a")]), copy, "/a") == "501")
  }

  @Test("9110 15.5.16 a body with a content coding is 415, which says that none is accepted")
  func codedBodies() async throws {
    let client = TestClient.inMemory(Self.router([(.post, "/a"), (.get, "/a")]))
    for coding in ["gzip", "identity, gzip", "x"] {
      let refused = try await client.send(.post, "/a", fields: [.contentEncoding: coding], text: "{}")
      #expect(refused.status == .unsupportedMediaType && refused.fields[.acceptEncoding] == "identity")
    }
    #expect(try await client.send(.post, "/a", fields: [.contentEncoding: "Identity"], text: "{}").status == .ok)
    #expect(try await client.send(.post, "/b", fields: [.contentEncoding: "gzip"], text: "{}").status == .notFound)
    #expect(try await client.send(.get, "/a", fields: [.contentEncoding: "gzip"]).status == .ok, "of no body")
  }

  @Test("9110 14.5 a partial PUT with Content-Range is 400")
  func partialPut() async throws {
    let client = TestClient.inMemory(Self.router([(.put, "/a"), (.post, "/a")]))
    let range: Fields = [.contentRange: "bytes 0-1/2"]
    #expect(try await client.send(.put, "/a", fields: range, text: "{}").status == .badRequest)
    #expect(try await client.send(.put, "/a", fields: range).status == .badRequest)
    #expect(try await client.send(.post, "/a", fields: range, text: "{}").status == .ok, "it means nothing there")
    #expect(try await client.send(.put, "/a", text: "{}").status == .ok)
  }

  @Test("404, 405 and the responses to broken requests can be replaced; Allow stays")
  func replaced() async throws {
    var router = Self.router([(.get, "/a")])
    router.notFound = .immediate { _ in Response(status: .gone) }
    router.methodNotAllowed = .suspending { _ in Response(status: .methodNotAllowed, body: .bytes([1])) }
    router.failure = { error, id in Response(status: error.status, fields: ["x-failed": id]) }
    router.on(.get, "/throws") { _ in throw ProtocolError(.badRequest, "any error") }
    let client = TestClient.inMemory(router)
    #expect(try await client.send(.get, "/none").status == .gone)
    let refused = try await client.send(.put, "/a")
    #expect(refused.body == [1] && refused.fields[.allow] == "GET, HEAD, OPTIONS")
    let failed = try await client.send(.get, "/throws")
    #expect(failed.status == .internalServerError && failed.fields["x-failed"] == failed.fields[.xRequestID])
    #expect(try await client.send(.get, "/..").fields["x-failed"] != nil)
  }

  @Test("routes are listed in their order; endpoints carry their limit and pattern")
  func listing() throws {
    var router = Self.router([(.get, "/b"), (.post, "/a/:x")])
    router.on(.put, "/c", bodyLimit: 9, suspending: { _ in Response() })
    #expect(router.routes().map { "\($0.method) \($0.pattern)" } == ["GET /b", "POST /a/:x", "PUT /c"])
    let found = router.endpoint(for: try TestClient.head(.put, "/c"))
    #expect(found.endpoint.bodyLimit == 9 && found.endpoint.pattern == "/c" && found.endpoint.wantsBody)
    #expect(!router.endpoint(for: try TestClient.head(.put, "/b")).endpoint.wantsBody)
  }

  @Test("a malformed pattern and a duplicate route trap")
  func mistakes() async {
    await #expect(processExitsWith: .failure) {
      var router = Router()
      router.on(.get, "a") { _ in Response() }
    }
    await #expect(processExitsWith: .failure) {
      var router = Router()
      router.on(.get, "/a/:x") { _ in Response() }
      router.on(.get, "/a/:y") { _ in Response() }
    }
  }
}

@Suite("Middleware")
struct MiddlewareTests {
  /// Adds its name around the inner response.
  struct Tag: Middleware {
    let name: String

    func wrap(_ next: Responder, pattern: String) -> Responder {
      next.transformed { [name] _, response in
        var response = response
        response.fields.set("x-tags", name + (response.fields["x-tags"] ?? "") + name)
        response.fields.set("x-pattern", pattern)
        return response
      }
    }
  }

  struct Name: RequestKey {
    typealias Value = String
  }

  /// Admits requests that state a name, and passes it to the responder.
  struct Door: Middleware {
    func wrap(_ next: Responder, pattern: String) -> Responder {
      @Sendable func named(_ request: Request) -> Request? {
        guard let name = request.head["x-name"] else { return nil }
        var request = request
        request[Name.self] = name
        return request
      }
      switch next {
      case .immediate(let respond):
        return .immediate { try named($0).map(respond) ?? Response(status: .unauthorized) }
      case .suspending(let respond):
        return .suspending { request in
          guard let request = named(request) else { return Response(status: .unauthorized) }
          return try await respond(request)
        }
      }
    }
  }

  static func router() -> Router {
    var router = Router()
    router.use(Tag(name: "1"))
    router.on(.get, "/now") { Response(fields: ["x-who": $0[Name.self] ?? "?"]) }
    router.on(.get, "/later", suspending: { Response(fields: ["x-who": $0[Name.self] ?? "?"]) })
    router.on(.get, "/bug") { _ in throw ProtocolError(.ok, "not Refused") }
    router.on(.get, "/later-bug", suspending: { _ in throw ProtocolError(.ok, "not Refused") })
    router.use(Tag(name: "2"))
    router.use(Door())
    return router
  }

  @Test("all endpoints are wrapped, 404, 405 and OPTIONS too, the first used outermost")
  func order() async throws {
    let client = TestClient.inMemory(Self.router())
    let fields: Fields = ["x-name": "ada"]
    for (method, path, status) in [
      (.get, "/now", .ok), (.get, "/later", .ok), (.get, "/none", .notFound), (.put, "/now", .methodNotAllowed),
      (.options, "/now", .noContent), (.options, "*", .noContent),
    ] as [(HTTP.Method, String, Status)] {
      let response = try await client.send(method, path, fields: fields)
      #expect(response.status == status)
      #expect(response.fields["x-tags"] == "1221", "\(method) \(path)")
    }
    #expect(try await client.send(.get, "/now", fields: fields).fields["x-pattern"] == "/now")
  }

  @Test("a guard passes values on or rejects requests; immediate stays immediate", arguments: ["/now", "/later"])
  func guards(path: String) async throws {
    let router = Self.router()
    let client = TestClient.inMemory(router)
    #expect(try await client.send(.get, path, fields: ["x-name": "ada"]).fields["x-who"] == "ada")
    let refused = try await client.send(.get, path)
    #expect(refused.status == .unauthorized && refused.fields["x-tags"] == "1221")
    let endpoint = router.endpoint(for: try TestClient.head(.get, path)).endpoint
    var isImmediate = false
    if case .immediate = endpoint.responder { isImmediate = true }
    #expect(isImmediate == (path == "/now"))
  }

  @Test("errors unknown to the recovery are passed on", arguments: ["/bug", "/later-bug"])
  func errors(path: String) async throws {
    let response = try await TestClient.inMemory(Self.router()).send(.get, path, fields: ["x-name": "ada"])
    #expect(response.status == .internalServerError)
  }
}
