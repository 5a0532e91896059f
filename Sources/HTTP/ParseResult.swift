/// What a parser made of the bytes it was shown.
public enum ParseResult: Sendable {
  /// The head is not complete: show the same bytes again with more behind them.
  case incomplete
  /// A head, and how many bytes it took, a leading empty line included. The body begins there.
  case parsed(RequestHead, consumed: Int)
  /// Not HTTP: answer with the error's status and close.
  case invalid(ProtocolError)
}
