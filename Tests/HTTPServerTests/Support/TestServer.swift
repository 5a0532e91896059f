import EventLoop
import HTTP
import TestSupport
import TestSupport
import Testing

@testable import HTTPServer

/// Endpoints by path, for tests of the engine only.
struct PathApplication: Application {
  var endpoints: [String: Endpoint] = [:]

  func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
    if let endpoint = endpoints[head.path] { return (endpoint, ["path": head.path]) }
    let missing = Responder.immediate { _ in Response(status: .notFound, body: .bytes(Array("nothing here".utf8))) }
    return (Endpoint(responder: missing, wantsBody: false, pattern: "*"), [:])
  }

  mutating func immediate(
    _ path: String, bodyLimit: Int? = nil, _ respond: @escaping @Sendable (Request) throws -> Response
  ) {
    endpoints[path] = Endpoint(responder: .immediate(respond), bodyLimit: bodyLimit, pattern: path)
  }

  mutating func suspending(_ path: String, _ respond: @escaping @Sendable (Request) async throws -> Response) {
    endpoints[path] = Endpoint(responder: .suspending(respond), pattern: path)
  }
}

extension Response {
  init(_ text: String) {
    self.init(fields: [.contentType: "text/plain"], body: .bytes(Array(text.utf8)))
  }
}

/// A server on a free port for the duration of a test.
struct TestServer {
  let server: Server
  let port: Int

  /// Connects.
  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port: port, receiveBuffer: receiveBuffer)
  }

  /// Waits until the statistics satisfy `condition`, at most a minute.
  func wait(until condition: (ServerStatistics) -> Bool) async {
    let end = MonotonicTime.now() + .seconds(60)
    while !condition(server.statistics) {
      if MonotonicTime.now() > end {
        Issue.record("still \(server.statistics)")
        return
      }
      await Task.yield()
    }
  }
}

/// Runs `body` with a server with the usual endpoints and those added by `prepare`.
func withServer<Result>(
  loops: Int = 2, prepare: (inout PathApplication, inout Server.Configuration) -> Void = { _, _ in },
  _ body: (TestServer) async throws -> Result
) async throws -> Result {
  var application = PathApplication()
  application.immediate("/") { _ in Response("hello") }
  application.immediate("/echo") { request in
    Response(fields: [.contentType: "application/octet-stream"], body: .bytes(request.body))
  }
  application.immediate("/number") { request in Response(request.head.query["n"] ?? "") }
  application.suspending("/later") { request in
    await Task.yield()
    return Response(request.head.query["n"] ?? "later")
  }
  var configuration = Server.Configuration()
  configuration.logger = .silent
  prepare(&application, &configuration)
  let group = try EventLoopGroup(count: loops)
  group.start()
  let server = Server(configuration: configuration, application: application, group: group)
  do {
    let result = try await body(TestServer(server: server, port: try server.start()))
    await server.shutdown()
    group.stop()
    return result
  } catch {
    await server.shutdown()
    group.stop()
    throw error
  }
}
