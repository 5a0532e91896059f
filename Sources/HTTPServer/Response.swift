import HTTP

/// An answer: status, fields and what follows them.
///
/// The server itself adds `Content-Length`, `Connection`, `Date`, `X-Request-Id` and `X-Content-Type-Options`; it
/// leaves out the body where the protocol has none (HEAD, 204, 304).
public struct Response: Sendable {
  /// The status code with its reason.
  public var status: Status
  /// The header fields, without those that the server adds.
  public var fields: Fields
  /// What follows the head.
  public var body: Body

  /// What follows the head.
  public enum Body: Sendable {
    /// Nothing.
    case empty
    /// Bytes that are sent as they are.
    case bytes([UInt8])
    /// A part of an open file.
    case file(FileBody)
    /// A `text/event-stream` without an end. The closure takes the stream over on the connection's loop as soon as
    /// the head is queued; it must not block. The answer ends the connection's use for requests.
    case eventStream(@Sendable (EventStream) -> Void)

    /// The length in bytes; nil for an event stream.
    public var count: Int? {
      switch self {
      case .empty: 0
      case .bytes(let bytes): bytes.count
      case .file(let file): file.count
      case .eventStream: nil
      }
    }
  }

  /// An answer of `status` with `fields` and `body`.
  public init(status: Status = .ok, fields: Fields = Fields(), body: Body = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}
