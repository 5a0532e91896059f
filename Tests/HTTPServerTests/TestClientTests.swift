import Base
import EventLoop
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@Suite("Test client: one client, two transports")
struct TestClientTests {
  enum Transport: CaseIterable {
    case memory, socket
  }

  static func application() -> Router {
    var router = Router()
    router.on(.post, "/echo/:name", bodyLimit: 20) { request in
      Response(
        status: .created,
        fields: ["x-name": request.parameters["name"] ?? "", "x-type": request.head[.contentType] ?? ""],
        body: .bytes(request.body))
    }
    router.on(
      .get, "/later",
      suspending: { request in
        await Task.yield()
        return Response(fields: ["set-cookie": "a=1", "Set-Cookie": "b=2"], body: .bytes(Array("later".utf8)))
      })
    router.on(.get, "/nothing") { _ in Response(status: .noContent) }
    router.on(.get, "/throws") { _ in throw ProtocolError(.ok, "anything") }
    router.on(.get, "/events") { request in
      let after = request.head[.lastEventID] ?? ""
      return Response(
        fields: [.contentType: EventStreamEncoding.mediaType],
        body: .eventStream { stream in
          stream.send(SharedBytes(EventStreamEncoding.retry(milliseconds: 700)))
          stream.send(SharedBytes(EventStreamEncoding.comment("quiet")))
          stream.send(SharedBytes(EventStreamEncoding.event(name: "hello", data: after)))
          stream.send(SharedBytes(EventStreamEncoding.event(id: "7", data: "two\nlines: ü")))
          stream.close(after: SharedBytes(EventStreamEncoding.event(name: "bye", data: "{}")))
        })
    }
    return router
  }

  /// Runs `body` with a client of the application over this transport.
  func with(
    _ transport: Transport, _ application: any Application = application(), _ body: (TestClient) async throws -> Void
  ) async throws {
    guard transport == .socket else { return try await body(.inMemory(application)) }
    var configuration = Server.Configuration()
    configuration.logger = .silent
    let group = try EventLoopGroup(count: 2)
    group.start()
    let server = Server(configuration: configuration, application: application, group: group)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(.socket(port: try server.start())))
    } catch {
      result = .failure(error)
    }
    await server.shutdown()
    group.stop()
    try result.get()
  }

  @Test("both give the same responses", arguments: Transport.allCases)
  func answers(transport: Transport) async throws {
    try await with(transport) { client in
      let echo = try await client.send(.post, "/echo/a%20b", fields: [.contentType: "text/plain"], text: "héllo")
      #expect(echo.status == .created && echo.text == "héllo")
      #expect(echo.fields["x-name"] == "a b" && echo.fields["x-type"] == "text/plain")
      #expect(echo.fields[.contentLength] == "6" && echo.fields[.xContentTypeOptions] == "nosniff")
      #expect(echo.fields[.xRequestID] != nil)
      let later = try await client.send(.get, "/later")
      #expect(later.text == "later" && later.fields.all(.setCookie) == ["a=1", "b=2"])
      let nothing = try await client.send(.get, "/nothing")
      #expect(nothing.status == .noContent && nothing.body.isEmpty && nothing.fields[.contentLength] == nil)
      let head = try await client.send(.head, "/later")
      #expect(head.body.isEmpty && head.fields[.contentLength] == "5")
      #expect(try await client.send(.head, "/events").fields[.contentType] == "text/event-stream")
      #expect(try await client.send(.get, "/throws").status == .internalServerError)
      #expect(try await client.send(.get, "/none").status == .notFound)
      #expect(try await client.send(.get, "/%zz").status == .badRequest)
    }
  }

  @Test("bodies: limits of the endpoint, empty ones, chunked ones", arguments: Transport.allCases)
  func bodies(transport: Transport) async throws {
    try await with(transport) { client in
      #expect(try await client.send(.post, "/echo/x", body: Array(repeating: 0, count: 20)).status == .created)
      #expect(try await client.send(.post, "/echo/x", body: Array(repeating: 0, count: 21)).status == .contentTooLarge)
      #expect(try await client.send(.post, "/echo/x").body.isEmpty)
      let chunked = try await client.send(
        .post, "/echo/x", fields: [.transferEncoding: "chunked"], text: "3\r\nabc\r\n0\r\n\r\n")
      #expect(chunked.text == "abc")
    }
  }

  @Test("an event stream is read as a browser reads it, until it ends")
  func events() async throws {
    try await with(.socket) { client in
      let stream = try await client.events("/events", fields: [.lastEventID: "5"])
      #expect(stream.response.status == .ok)
      #expect(try await stream.next() == TestEvent(name: "hello", id: nil, data: "5"))
      #expect(stream.retryMilliseconds == 700)
      #expect(stream.comments == 1)
      #expect(try await stream.next() == TestEvent(name: "message", id: "7", data: "two\nlines: ü"))
      #expect(try await stream.next() == TestEvent(name: "bye", id: "7", data: "{}"))
      #expect(try await stream.next() == nil)
      await #expect(throws: TestClient.Failure.self) { try await client.events("/later") }
    }
    try await with(.memory) { client in
      await #expect(throws: TestClient.Failure.streamNeedsSocket) { try await client.send(.get, "/events") }
      await #expect(throws: TestClient.Failure.streamNeedsSocket) { try await client.events("/events") }
      await #expect(throws: TestClient.Failure.streamNeedsSocket) { try await client.exchange([]) }
    }
  }

  @Test("raw bytes are sent unchanged and received completely")
  func raw() async throws {
    try await with(.socket) { client in
      let requests =
        "GET /later HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      let text = String(decoding: try await client.exchange(Array(requests.utf8)), as: UTF8.self)
      #expect(text.contains("HTTP/1.1 200 OK\r\n"))
      #expect(text.contains("later" + "HTTP/1.1 204 No Content\r\n"))
    }
  }

  @Test("a refused connection is an error, and so is a malformed response")
  func failures() async throws {
    // Nobody listens there; a port that was free a moment ago may be another test's by now.
    await #expect(throws: SystemError.self) { try await TestClient.socket(port: 1).send(.get, "/") }
    for bytes in [
      "", "HTTP/1.1 200 OK\r\n", "SSH 2\r\n\r\n", "HTTP/1.1 x\r\n\r\n", "HTTP/1.1 200 OK\r\nx y\r\n\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na",
    ] {
      #expect(throws: TestClient.Failure.self) { try TestResponse(parsing: Array(bytes.utf8)) }
    }
    let chunked =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
    #expect(try TestResponse(parsing: Array(chunked.utf8)).text == "a")
  }

  @Test("static files are the same over a socket and in memory, cached and from disk", arguments: Transport.allCases)
  func staticFiles(transport: Transport) async throws {
    let directory = try TemporaryFolder()
    let text = String(repeating: "0123456789abcdef", count: 4000)
    try directory.write("a.txt", text)
    for keptFileBytes in [0, 1_000_000] {
      let files = try StaticFiles(root: directory.path, keptFileBytes: keptFileBytes)
      var router = Router()
      router.on(.get, "\(files.prefix)/*path", files.responder())
      try await with(transport, router) { client in
        let response = try await client.send(.get, files.address(of: "a.txt"))
        #expect(response.text == text)
        let etag = try #require(response.fields[.etag])
        #expect(try await client.send(.get, "/assets/a.txt", fields: [.ifNoneMatch: etag]).status == .notModified)
        #expect(try await client.send(.head, "/assets/a.txt").fields[.contentLength] == "64000")
      }
    }
  }
}
