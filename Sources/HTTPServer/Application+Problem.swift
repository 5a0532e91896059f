import HTTP

extension Application {
  /// A problem of type `about:blank`.
  public func answer(to error: ProtocolError, requestID: String) -> Response {
    Response(problem: error, requestID: requestID)
  }
}
