/// What carries one request to a server and its answer back; whoever it is. `URLSessionTransport` in life.
public protocol Transport: Sendable {
  /// Sends a request and returns the answer, whatever its status. Redirects are answers, never followed here.
  ///
  /// A task's cancellation must not reach the transfer: callers that no longer wait are dropped before.
  func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// A request: a question, or a form that is sent.
public struct TransportRequest: Sendable {
  /// What is done at the address.
  public enum Method: String, Sendable {
    /// A question without a body.
    case get = "GET"
    /// Something is sent.
    case post = "POST"
  }

  /// What is done.
  public var method: Method
  /// Where it goes.
  public var address: WebAddress
  /// Header fields by name.
  public var fields: [String: String]
  /// What is sent with a POST; its type is in the fields.
  public var body: [UInt8]
  /// The most bytes of a body that are taken.
  public var bodyLimit: Int
  /// How long all of it may take.
  public var timeout: Duration

  /// A request from its parts.
  public init(
    method: Method = .get, address: WebAddress, fields: [String: String], body: [UInt8] = [], bodyLimit: Int,
    timeout: Duration
  ) {
    self.method = method
    self.address = address
    self.fields = fields
    self.body = body
    self.bodyLimit = bodyLimit
    self.timeout = timeout
  }
}

/// An answer whose body was read whole.
public struct TransportResponse: Sendable {
  /// The status code.
  public var status: Int
  /// Header fields by their names in lower case.
  public var fields: [String: String]
  /// The body, decoded.
  public var body: [UInt8]

  /// An answer from its parts; the field names are lowered here.
  public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = Dictionary(fields.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $0 + ", " + $1 })
    self.body = body
  }
}

/// Why there is no answer.
public enum TransportFailure: Error, Hashable, Sendable {
  /// The time was up.
  case timedOut
  /// More bytes than the request allows.
  case oversized
  /// No connection, or one that ended too early; the transport's words, for the operator.
  case unreachable(String)
}
