import HTTP

/// A response: status, fields and body.
///
/// The server adds `Content-Length`, `Connection`, `Date`, `X-Request-Id` and `X-Content-Type-Options`, and omits the
/// body where the protocol has none (HEAD, 204, 304).
package struct Response: Sendable {
  package var status: Status
  /// The fields, without those that the server adds.
  package var fields: Fields
  package var body: Body
  /// Whether all requests get this body from the same memory, so that it does not count as waiting for readers.
  package var isSameForAll = false

  /// The content that follows the head.
  package enum Body: Sendable {
    case empty
    case bytes([UInt8])
    case file(FileBody)
    /// An endless `text/event-stream`. The closure receives the stream on the connection's loop once the head is
    /// queued; it must not block. The connection takes no further requests.
    case eventStream(@Sendable (EventStream) -> Void)

    /// The length in bytes; nil for an event stream.
    package var count: Int? {
      switch self {
      case .empty: 0
      case .bytes(let bytes): bytes.count
      case .file(let file): file.count
      case .eventStream: nil
      }
    }
  }

  package init(status: Status = .ok, fields: Fields = Fields(), body: Body = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}
