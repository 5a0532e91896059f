/// Sends one request to a server and returns its response; `CurlTransport` in production.
package protocol Transport: Sendable {
  /// Sends a request and returns the response, whatever its status. Redirects are returned, not followed: only the
  /// caller knows where a credential may go.
  ///
  /// Cancelling the task ends the transfer and throws `.cancelled`.
  func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// A request with its limits.
package struct TransportRequest: Sendable {
  /// The request method.
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// Which network addresses a request may connect to.
  package enum Reach: Sendable {
    /// Public addresses only, whatever the host's name resolves to: for hosts that the operator has not named.
    case publicAddresses
    /// Any address: for hosts that the operator has named, which may be on their own network.
    case anyAddress
  }

  package var method: Method
  package var address: WebAddress
  package var reach: Reach
  /// Header fields by name.
  package var fields: [String: String]
  /// The body of a POST; its type is in the fields.
  package var body: [UInt8]
  /// The maximum size of the decoded response body, in bytes.
  package var bodyLimit: Int
  /// The time limit for the whole transfer, from resolving the name to the body's last byte.
  package var timeout: Duration

  package init(
    method: Method = .get, address: WebAddress, reach: Reach = .publicAddresses, fields: [String: String],
    body: [UInt8] = [], bodyLimit: Int, timeout: Duration
  ) {
    self.method = method
    self.address = address
    self.reach = reach
    self.fields = fields
    self.body = body
    self.bodyLimit = bodyLimit
    self.timeout = timeout
  }
}

/// A response whose body has arrived completely.
package struct TransportResponse: Sendable {
  package var status: Int
  /// Header fields by their names in lower case; repeated ones are joined with a comma.
  package var fields: [String: String]
  /// The body without its content coding.
  package var body: [UInt8]

  /// Converts the names in `fields` to lower case.
  package init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = Dictionary(fields.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $0 + ", " + $1 })
    self.body = body
  }
}

/// Why there is no response.
package enum TransportFailure: Error, Hashable, Sendable {
  /// The time limit passed.
  case timedOut
  /// The head or the body is longer than allowed.
  case oversized
  /// The task was cancelled.
  case cancelled
  /// No connection, a forbidden one, or one that ended too early; libcurl's message, for the operator.
  case unreachable(String)
}
