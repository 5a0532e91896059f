import HTTP

/// How an application handles one kind of request.
package struct Endpoint: Sendable {
  package var responder: Responder
  /// The largest accepted body in bytes; nil means `Limits.bodyBytes`. A larger one is 413 before it is read.
  package var bodyLimit: Int?
  /// Whether the response depends on the body. If not (a 404), a client that waits for `100 Continue` gets the response
  /// at once, and the connection closes because the body may or may not follow (RFC 9110 §10.1.1).
  package var wantsBody: Bool
  /// Whether the responder begins with the head and reads the body while it arrives, from `Request.arrivingBody`. It
  /// must be a suspending one. An answer before the body's end closes the connection.
  package var receivesBody: Bool
  /// The route pattern, such as `/rooms/:room`, for logs and metrics.
  package var pattern: String

  package init(
    responder: Responder, bodyLimit: Int? = nil, wantsBody: Bool = true, receivesBody: Bool = false, pattern: String
  ) {
    self.responder = responder
    self.bodyLimit = bodyLimit
    self.wantsBody = wantsBody
    self.receivesBody = receivesBody
    self.pattern = pattern
  }
}

/// The application of a server. Called on all loops concurrently, so it must be immutable or do its own locking.
package protocol Application: Sendable {
  /// Chooses the endpoint by the head, before the body is read, and returns it with the pattern's parameters. There
  /// always is one: "not found" and "method not allowed" are endpoints too.
  func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String])

  /// The fields of every response that does not set them itself. Read once, when the server is created. Empty by
  /// default.
  var defaultFields: Fields { get }

  /// The response to a request that breaks the protocol or a limit, or whose responder threw. The default is
  /// `application/problem+json` (RFC 9457) of type `about:blank`.
  func answer(to error: ProtocolError, requestID: String) -> Response
}

extension Application {
  package var defaultFields: Fields { Fields() }
}
