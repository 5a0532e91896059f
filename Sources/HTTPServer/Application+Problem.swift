import HTTP

extension Application {
  /// A problem of type `about:blank`: the status says it all (RFC 9457 §4.2.1).
  public func answer(to error: ProtocolError, requestID: String) -> Response {
    // Both texts are the program's own and free of characters that JSON escapes.
    let body =
      #"{"type":"about:blank","title":"\#(error.status.reason)","status":\#(error.status.code),"#
      + #""detail":"\#(error.detail)","request_id":"\#(requestID)"}"#
    return Response(
      status: error.status, fields: [.contentType: "application/problem+json"], body: .bytes(Array(body.utf8)))
  }
}
