import HTTP

extension Response {
  /// A problem of type `about:blank`, which adds nothing to the status (RFC 9457 section 4.2.1).
  package init(problem error: ProtocolError, requestID: String) {
    // Both texts are fixed and contain no characters that JSON escapes.
    let body =
      #"{"type":"about:blank","title":"\#(error.status.reason)","status":\#(error.status.code),"#
      + #""detail":"\#(error.detail)","request_id":"\#(requestID)"}"#
    self.init(
      status: error.status, fields: [.contentType: "application/problem+json"], body: .bytes(Array(body.utf8)))
  }
}
