/// Why a message is refused. The connection is answered once with `status` and closed (RFC 9112 section 2.2).
public struct ProtocolError: Error, Hashable, Sendable {
  /// The status to answer with: 400, 413, 414, 417, 431, 501 or 505 from this module; 408 from the server's clock.
  public let status: Status
  /// What was wrong, for people; made of fixed texts only, so it never repeats input.
  public let detail: String

  /// An error with its status and fixed text.
  public init(_ status: Status, _ detail: String) {
    self.status = status
    self.detail = detail
  }
}
