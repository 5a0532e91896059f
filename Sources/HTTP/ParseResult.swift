/// The result of parsing the bytes received so far.
package enum ParseResult: Sendable {
  /// The head is incomplete: pass the same bytes again with more appended.
  case incomplete
  /// A head and its length in bytes, including a leading empty line. The body follows.
  case parsed(RequestHead, consumed: Int)
  /// The bytes are not HTTP: respond with the error's status and close.
  case invalid(ProtocolError)
}
