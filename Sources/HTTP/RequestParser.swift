/// Reads a request's head (RFC 9112 sections 2 to 6) from the bytes received so far.
///
/// Strict: what the grammar does not allow is refused, so that no two readers of the same bytes can disagree about
/// where a message ends (section 11.2). Each byte is read once, however the bytes are cut: the parser remembers where it
/// stopped, and the outcome does not depend on the cuts. After `.parsed` it is ready for the next head.
public struct RequestParser: Sendable {
  typealias Buffer = UnsafeBufferPointer<UInt8>

  /// The element that is being read.
  enum Phase: Sendable {
    case start, startLineFeed, method, target, version, lineStart, name, value, valueLineFeed, endLineFeed
  }

  /// The bounds this parser keeps.
  public let limits: Limits
  var phase = Phase.start
  /// The next byte to read.
  var position = 0
  /// Where the element that is being read began.
  var mark = 0
  /// Where the field section began.
  var fieldsStart = 0
  /// The name of the field line that is being read.
  var name = RequestHead.Slice(0, 0)
  var draft = RequestDraft()
  private var skippedEmptyLine = false

  /// A parser for the heads of one connection.
  public init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether the head that is being read, or that was found invalid, is known to be of a HEAD request: its answer has
  /// no content, an error's neither (RFC 9110 section 9.3.2).
  public var isReadingHEAD: Bool { draft.method == .head }

  /// Reads on. `bytes` begin where the head begins: after `.incomplete` show the same bytes again with more behind them.
  public mutating func parse(_ bytes: Span<UInt8>) -> ParseResult {
    do throws(ProtocolError) {
      let head = try bytes.withUnsafeBufferPointer { (bytes) throws(ProtocolError) in try read(bytes) }
      guard let head else { return .incomplete }
      let consumed = position
      self = RequestParser(limits: limits)
      return .parsed(head, consumed: consumed)
    } catch {
      return .invalid(error)
    }
  }

  private mutating func read(_ bytes: Buffer) throws(ProtocolError) -> RequestHead? {
    while true {
      let proceeds: Bool
      switch phase {
      case .start: proceeds = try readStart(bytes)
      case .startLineFeed: proceeds = try readStartLineFeed(bytes)
      case .method: proceeds = try readMethod(bytes)
      case .target: proceeds = try readTarget(bytes)
      case .version: proceeds = try readVersion(bytes)
      case .lineStart: proceeds = try readLineStart(bytes)
      case .name: proceeds = try readName(bytes)
      case .value: proceeds = try readValue(bytes)
      case .valueLineFeed: proceeds = try readValueLineFeed(bytes)
      case .endLineFeed:
        guard try isThere(bytes, limit: fieldsEnd) else { return nil }
        guard bytes[position] == Characters.lineFeed else { throw ProtocolError(.badRequest, "bare CR") }
        position += 1
        return try draft.finish(bytes, end: position)
      }
      if !proceeds { return nil }
    }
  }

  /// An empty line before the request line is skipped, once (RFC 9112 section 2.2).
  private mutating func readStart(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    guard position < bytes.count else { return false }
    if bytes[position] == Characters.carriageReturn, !skippedEmptyLine {
      position += 1
      phase = .startLineFeed
    } else {
      mark = position
      phase = .method
    }
    return true
  }

  private mutating func readStartLineFeed(_ bytes: Buffer) throws(ProtocolError) -> Bool {
    guard position < bytes.count else { return false }
    guard bytes[position] == Characters.lineFeed else { throw ProtocolError(.badRequest, "bare CR") }
    position += 1
    skippedEmptyLine = true
    phase = .start
    return true
  }

  /// Where the field section must have ended.
  var fieldsEnd: Int { fieldsStart + limits.fieldBytes }

  /// Whether the next byte has come. That it would lie at or beyond `limit` is an error before it comes, so that the
  /// outcome is the same however the bytes are cut.
  func isThere(_ bytes: Buffer, limit: Int) throws(ProtocolError) -> Bool {
    guard position < limit else { throw ProtocolError(.requestHeaderFieldsTooLarge, "the field section is too large") }
    return position < bytes.count
  }
}
