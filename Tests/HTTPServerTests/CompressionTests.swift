import Base
import EventLoop
import HTTP
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite("Compression of answers")
struct CompressionTests {
  static let text = Array(String(repeating: #"{"login":"octocat","text":"hello"},"#, count: 100).utf8)
  static let gzip: Fields = [.acceptEncoding: "gzip, br"]

  /// A single-path application behind the middleware; it handles If-None-Match itself, as the pages do.
  func client(
    _ compression: Compression = Compression(), suspending: Bool = false, fields: Fields = [:], status: Status = .ok,
    body: [UInt8] = text
  ) -> TestClient {
    @Sendable func answer(_ request: Request) -> Response {
      var fields = fields
      if !fields.contains(.contentType) { fields.set(.contentType, "application/json") }
      let tag = fields[.etag].flatMap { ETag(parsing: $0) }
      if tag != nil, Conditions.evaluate(request.head, etag: tag) == .notModified {
        return Response(status: .notModified, fields: fields)
      }
      return Response(status: status, fields: fields, body: .bytes(body))
    }
    var router = Router()
    router.use(compression)
    if suspending {
      router.on(.get, "/") { request in
        await Task.yield()
        return answer(request)
      }
    } else {
      router.on(.get, "/", immediate: answer)
    }
    return TestClient.inMemory(router)
  }

  @Test(
    "text is compressed for clients that accept gzip, by either kind of responder", arguments: [false, true])
  func coded(suspending: Bool) async throws {
    let client = client(suspending: suspending, fields: [.vary: "Cookie"])
    let response = try await client.send(.get, "/", fields: Self.gzip)
    #expect(response.body == Gzip.encode(Self.text, effort: .quick))
    #expect(response.fields[.contentEncoding] == "gzip" && response.fields.all(.vary) == ["Cookie, accept-encoding"])
    #expect(response.fields[.contentLength] == String(response.body.count) && response.body.count < 400)
    let head = try await client.send(.head, "/", fields: Self.gzip)
    #expect(head.body.isEmpty && head.fields == response.fields)
    let plain = try await client.send(.get, "/")
    #expect(plain.body == Self.text && plain.fields[.contentEncoding] == nil)
    #expect(plain.fields[.vary] == "Cookie, accept-encoding")
  }

  @Test("a responder stays immediate or suspending")
  func kind() throws {
    let responder = Compression().wrap(.immediate { _ in Response() }, pattern: "/")
    guard case .immediate = responder else {
      Issue.record("no longer immediate")
      return
    }
  }

  @Test(
    "small, huge, partial, compressed, no-transform bodies and pictures are unchanged",
    arguments: [
      (1023, [:], .ok), (256 * 1024 + 1, [:], .ok), (3000, [.contentType: "image/png"], .ok),
      (3000, [.contentType: "text/event-stream"], .ok), (3000, [.contentEncoding: "br"], .ok),
      (3000, ["content-range": "bytes 0-2999/9999"], .partialContent),
      (3000, [.cacheControl: "private, No-Transform"], .ok),
    ] as [(Int, Fields, Status)])
  func untouched(count: Int, fields: Fields, status: Status) async throws {
    let body = Array(repeating: UInt8(ascii: "a"), count: count)
    let client = client(fields: fields, status: status, body: body)
    let response = try await client.send(.get, "/", fields: Self.gzip)
    #expect(response.body == body && response.status == status)
    #expect(response.fields[.contentEncoding] == fields[.contentEncoding])
    #expect(response.fields[.vary] == nil)
  }

  @Test("incompressible bodies are sent uncompressed, cached or not", arguments: ["private", "public"])
  func incompressible(caching: String) async throws {
    var state: UInt64 = 7
    let noise = (0..<2000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let fields: Fields = [.etag: "\"a\"", .cacheControl: caching]
    let response = try await client(fields: fields, body: noise).send(.get, "/", fields: Self.gzip)
    #expect(response.body == noise && response.fields[.contentEncoding] == nil && response.fields[.etag] == "\"a\"")
  }

  @Test(
    "a client with the compressed response gets 304 with its weak tag",
    arguments: ["private, no-cache", "public"])
  func revalidation(caching: String) async throws {
    let client = client(fields: [.etag: "\"a\"", .cacheControl: caching])
    let coded = try await client.send(.get, "/", fields: Self.gzip)
    #expect(coded.fields[.etag] == "W/\"a\"")
    let unchanged = try await client.send(.get, "/", fields: [.acceptEncoding: "gzip", .ifNoneMatch: "W/\"a\""])
    #expect(unchanged.status == .notModified && unchanged.fields[.etag] == "W/\"a\"" && unchanged.body.isEmpty)
    #expect(unchanged.fields[.vary] == "accept-encoding" && unchanged.fields[.contentEncoding] == nil)
    let plain = try await client.send(.get, "/")
    #expect(plain.fields[.etag] == "\"a\"")
    let strong = try await client.send(.get, "/", fields: [.acceptEncoding: "gzip", .ifNoneMatch: "\"a\""])
    #expect(strong.status == .notModified && strong.fields[.etag] == "\"a\"")
    #expect(try await client.send(.get, "/", fields: [.acceptEncoding: "gzip", .ifNoneMatch: "\"b\""]).status == .ok)
  }

  @Test("responses to cross-site requests are not compressed (BREACH)")
  func provoked() async throws {
    for (site, coding) in [("cross-site", nil), ("same-site", nil), ("same-origin", "gzip"), ("none", "gzip")] {
      let response = try await client().send(
        .get, "/", fields: [.acceptEncoding: "gzip", "sec-fetch-site": site])
      #expect(response.fields[.contentEncoding] == coding)
      #expect(response.fields[.vary] == "accept-encoding")
    }
  }

  @Test("content that never changes is compressed once, thoroughly, and sent as it is")
  func forms() async throws {
    let response = Response(
      fields: [.contentType: "text/html", .etag: "\"a\"", .vary: "Cookie"], body: .bytes(Self.text))
    let forms = Compression.forms(of: response)
    #expect(forms.plain.fields[.etag] == "\"a\"" && forms.plain.fields[.contentEncoding] == nil)
    var router = Router()
    router.use(Compression())
    router.on(.get, "/") { Compression.acceptsGzip($0.head) ? forms.coded : forms.plain }
    let client = TestClient.inMemory(router)
    let coded = try await client.send(.get, "/", fields: Self.gzip)
    #expect(coded.body == Gzip.encode(Self.text, effort: .thorough))
    #expect(coded.fields[.contentEncoding] == "gzip" && coded.fields[.etag] == "W/\"a\"")
    let plain = try await client.send(.get, "/")
    #expect(plain.body == Self.text && plain.fields[.etag] == "\"a\"")
    for answer in [coded, plain] { #expect(answer.fields.all(.vary) == ["Cookie, accept-encoding"]) }
  }

  @Test("event streams are not compressed, over a socket")
  func streams() async throws {
    var router = Router()
    router.use(Compression(minimum: 1))
    router.on(.get, "/events") { _ in
      Response(
        fields: [.contentType: "text/event-stream"],
        body: .eventStream { stream in stream.close(after: SharedBytes(Array("data: hello\n\n".utf8))) })
    }
    let endpoint = router.endpoint(
      for: try TestClient.head(.get, "/events")
    ).endpoint
    try await withServer(
      prepare: { application, _ in
        application.endpoints["/events"] = endpoint
      },
      { server in
        let response = try await TestClient.socket(port: server.port).send(.get, "/events", fields: Self.gzip)
        #expect(response.text.contains("data: hello") && response.fields[.contentEncoding] == nil)
      })
  }
}
