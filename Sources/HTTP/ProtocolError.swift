/// The reason for refusing a message. The server responds once with `status` and closes (RFC 9112 section 2.2).
package struct ProtocolError: Error, Hashable, Sendable {
  /// The response's status: 400, 413, 414, 417, 431, 501 or 505 from this module; 408 from the server's timers.
  package let status: Status
  /// A message for people, always one of the fixed texts, so that it never echoes input.
  package let detail: String

  package init(_ status: Status, _ detail: String) {
    self.status = status
    self.detail = detail
  }
}
