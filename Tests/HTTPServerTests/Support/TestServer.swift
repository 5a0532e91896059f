import EventLoop
import HTTP
import Logging
import Testing

@testable import HTTPServer

/// Endpoints by path, for tests of the engine alone.
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

/// A server on a free port for the time of a test.
struct TestServer {
  let server: Server
  let port: Int

  /// Connects.
  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port: port, receiveBuffer: receiveBuffer)
  }

  /// Waits until the statistics satisfy `condition`, for a minute at most.
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

/// Runs `body` against a server with the usual endpoints and those that `prepare` adds.
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
  configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
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

/// A place where a responder waits until the test lets it go on.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Waits for `open`.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, observers) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(continuation) }
        defer { state.observers = [] }
        return (state.isOpen, state.observers)
      }
      for observer in observers { observer.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets everybody through, now and later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until somebody has come.
  func arrival() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.arrivals == 0 { state.observers.append(continuation) }
        return state.arrivals > 0
      }
      if hasArrived { continuation.resume() }
    }
  }

  /// How many have come so far.
  var arrivals: Int { state.withLock { $0.arrivals } }
}
