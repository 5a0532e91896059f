import EventLoop
import HTTP
import HTTPServer

/// A test client with two transports: in memory against an application, or over a real socket.
package struct TestClient: Sendable {
  private enum Transport: Sendable {
    case memory(any Application, Limits)
    case socket(SocketTransport)
  }

  private let transport: Transport

  /// Why a request could not be sent or its response not be read.
  package enum Failure: Error, Hashable, Sendable {
    /// The response is an event stream, which needs a connection.
    case streamNeedsSocket
    /// The request is malformed.
    case invalidRequest(ProtocolError)
    /// The response is malformed.
    case invalidResponse(String)
  }

  /// A client of `application` without a connection: requests pass through the parser, the endpoint and its responder.
  package static func inMemory(_ application: any Application, limits: Limits = Limits()) -> TestClient {
    TestClient(transport: .memory(application, limits))
  }

  /// A client of the server on `port`; each request has its own connection.
  ///
  /// - Parameter timeoutSeconds: the time limit for a response. A busy machine may let a test wait for a minute.
  package static func socket(port: Int, host: String = "127.0.0.1", timeoutSeconds: Int = 300) -> TestClient {
    TestClient(transport: .socket(SocketTransport(host: host, port: port, timeoutSeconds: timeoutSeconds)))
  }

  /// Sends a request and returns the response. Adds Host and Content-Length unless `fields` has them.
  package func send(
    _ method: HTTP.Method, _ target: String, fields: Fields = [:], body: [UInt8] = []
  ) async throws -> TestResponse {
    let head = TestClient.headBytes(method, target, fields: fields, bodyCount: body.count)
    switch transport {
    case .memory(let application, let limits):
      return try await MemoryTransport(application: application, limits: limits).send(head: head, body: body)
    case .socket(let socket):
      return try TestResponse(parsing: await socket.exchange(head + body), isHead: method == .head)
    }
  }

  /// Sends a request with a text as its body; see `send(_:_:fields:body:)`.
  package func send(
    _ method: HTTP.Method, _ target: String, fields: Fields = [:], text: String
  ) async throws -> TestResponse {
    try await send(method, target, fields: fields, body: Array(text.utf8))
  }

  /// Opens an event stream; over a socket only. Throws if the response is not an event stream.
  package func events(_ target: String, fields: Fields = [:]) async throws -> TestEventStream {
    guard case .socket(let socket) = transport else { throw Failure.streamNeedsSocket }
    return try await TestEventStream.open(socket, TestClient.headBytes(.get, target, fields: fields, bodyCount: 0))
  }

  /// Sends raw bytes over a socket, and returns all that is received until the server closes the connection.
  package func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
    guard case .socket(let socket) = transport else { throw Failure.streamNeedsSocket }
    return try await socket.exchange(bytes)
  }

  /// A parsed head with this method and target, for asking an application for its endpoint.
  package static func head(_ method: HTTP.Method, _ target: String, fields: Fields = [:]) throws -> RequestHead {
    try MemoryTransport.parse(headBytes(method, target, fields: fields, bodyCount: 0), limits: Limits())
  }

  /// The head's bytes. Requests that the connection be closed, so that the socket can be read to its end.
  private static func headBytes(
    _ method: HTTP.Method, _ target: String, fields: Fields, bodyCount: Int
  ) -> [UInt8] {
    var lines = fields
    if !lines.contains(.host) { lines.add(.host, "localhost") }
    if !lines.contains(.connection) { lines.add(.connection, "close") }
    if bodyCount > 0 || method == .post || method == .put || method == .patch {
      // RFC 9110 section 8.6: methods with a body announce an empty one too.
      if !lines.contains(.contentLength), !lines.contains(.transferEncoding) {
        lines.add(.contentLength, String(bodyCount))
      }
    }
    var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
    lines.encode(into: &bytes)
    bytes += Array("\r\n".utf8)
    return bytes
  }
}
