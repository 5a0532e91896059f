import HTTP

extension Application {
  /// A problem of type `about:blank`.
  package func answer(to error: ProtocolError, requestID: String) -> Response {
    Response(problem: error, requestID: requestID)
  }
}
