import HTTP

/// What an application does with one kind of request.
public struct Endpoint: Sendable {
  /// Makes the answer.
  public var responder: Responder
  /// The longest body in bytes that is accepted; nil: `Limits.bodyBytes`. A longer one is a 413 before it is read.
  public var bodyLimit: Int?
  /// Whether the body matters to the answer. If not (a 404), a client that waits for `100 Continue` gets the answer
  /// instead, and the connection closes since nobody knows whether the body still comes (RFC 9110 §10.1.1).
  public var wantsBody: Bool
  /// The route pattern, `/rooms/:room`, for logs and figures.
  public var pattern: String

  /// An endpoint that answers by `responder`.
  public init(responder: Responder, bodyLimit: Int? = nil, wantsBody: Bool = true, pattern: String) {
    self.responder = responder
    self.bodyLimit = bodyLimit
    self.wantsBody = wantsBody
    self.pattern = pattern
  }
}

/// What a server serves. Called on every loop at once, so it is immutable or locks by itself.
public protocol Application: Sendable {
  /// The endpoint for a request, chosen by its head before the body is read, with the pattern's parameters. It always
  /// finds one: "not found" and "method not allowed" are endpoints too.
  func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String])

  /// The answer where no responder has made one: a request that breaks the protocol or a limit, or a responder that
  /// threw. The default is an `application/problem+json` (RFC 9457) of type `about:blank`.
  func answer(to error: ProtocolError, requestID: String) -> Response
}
