import EventLoop
import HTTP

/// One client for tests, over two transports: against an application in memory, or over a real socket.
public struct TestClient: Sendable {
  private enum Transport: Sendable {
    case memory(any Application, Limits)
    case socket(SocketTransport)
  }

  private let transport: Transport

  /// Why a request could not be sent or its answer not be read.
  public enum Failure: Error, Hashable, Sendable {
    /// The application answered with an event stream, which needs a connection.
    case streamNeedsSocket
    /// The request is one that only a broken client sends.
    case invalidRequest(ProtocolError)
    /// What came back is no response.
    case invalidResponse(String)
  }

  /// A client of `application` without any connection: the request passes the parser, the endpoint and its responder.
  public static func inMemory(_ application: any Application, limits: Limits = Limits()) -> TestClient {
    TestClient(transport: .memory(application, limits))
  }

  /// A client of the server that listens on `port`; each request has its own connection.
  ///
  /// - Parameter timeoutSeconds: an answer that stays away for longer is an error.
  public static func socket(port: Int, host: String = "127.0.0.1", timeoutSeconds: Int = 30) -> TestClient {
    TestClient(transport: .socket(SocketTransport(host: host, port: port, timeoutSeconds: timeoutSeconds)))
  }

  /// Sends a request and returns the answer. Host and Content-Length are added unless `fields` have them.
  public func send(
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

  /// Sends a text as a request's body; see `send(_:_:fields:body:)`.
  public func send(
    _ method: HTTP.Method, _ target: String, fields: Fields = [:], text: String
  ) async throws -> TestResponse {
    try await send(method, target, fields: fields, body: Array(text.utf8))
  }

  /// Opens an event stream; over a socket only. An answer that is no event stream is an error.
  public func events(_ target: String, fields: Fields = [:]) async throws -> TestEventStream {
    guard case .socket(let socket) = transport else { throw Failure.streamNeedsSocket }
    return try await TestEventStream.open(socket, TestClient.headBytes(.get, target, fields: fields, bodyCount: 0))
  }

  /// Sends bytes as they are over a socket, and returns all that comes until the server closes the connection.
  public func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
    guard case .socket(let socket) = transport else { throw Failure.streamNeedsSocket }
    return try await socket.exchange(bytes)
  }

  /// A parsed head of that method and target, to ask an application for its endpoint.
  public static func head(_ method: HTTP.Method, _ target: String, fields: Fields = [:]) throws -> RequestHead {
    try MemoryTransport.parse(headBytes(method, target, fields: fields, bodyCount: 0), limits: Limits())
  }

  /// The head's bytes. The connection is to end with the answer, so that a socket is read to its end.
  private static func headBytes(
    _ method: HTTP.Method, _ target: String, fields: Fields, bodyCount: Int
  ) -> [UInt8] {
    var lines = fields
    if !lines.contains(.host) { lines.add(.host, "localhost") }
    if !lines.contains(.connection) { lines.add(.connection, "close") }
    if bodyCount > 0 || method == .post || method == .put || method == .patch {
      // RFC 9110 section 8.6: a method that has a body says that it is empty.
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
