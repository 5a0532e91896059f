/// Parses a request's head (RFC 9112 sections 2 to 6) from the bytes received so far.
///
/// Strict: anything outside the grammar is refused, so that no two parsers can disagree about where a message ends
/// (section 11.2). The parser remembers its position, so it reads each byte once, and its result does not depend on how
/// the input is split. After `.parsed` it is ready for the next head.
package struct RequestParser: Sendable {
  typealias Buffer = UnsafeBufferPointer<UInt8>

  /// The element being parsed.
  enum Phase: Sendable {
    case start, startLineFeed, method, target, version, lineStart, name, value, valueLineFeed, endLineFeed
  }

  package let limits: Limits
  var phase = Phase.start
  /// The next byte to read.
  var position = 0
  /// The start of the current element.
  var mark = 0
  /// The start of the field section.
  var fieldsStart = 0
  /// The name in the current field line.
  var name = RequestHead.Slice(0, 0)
  var draft = RequestDraft()
  private var skippedEmptyLine = false

  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether the current or refused head is known to be a HEAD request, whose response has no content, even for an
  /// error (RFC 9110 section 9.3.2).
  package var isReadingHEAD: Bool { draft.method == .head }

  /// Continues parsing. `bytes` begin with the head: after `.incomplete`, pass the same bytes with more appended.
  package mutating func parse(_ bytes: Span<UInt8>) -> ParseResult {
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

  /// The latest end of the field section.
  var fieldsEnd: Int { fieldsStart + limits.fieldBytes }

  /// Whether the next byte has been received. Reaching `limit` is an error before that byte arrives, so that the result
  /// does not depend on how the input is split.
  func isThere(_ bytes: Buffer, limit: Int) throws(ProtocolError) -> Bool {
    guard position < limit else { throw ProtocolError(.requestHeaderFieldsTooLarge, "the field section is too large") }
    return position < bytes.count
  }
}
