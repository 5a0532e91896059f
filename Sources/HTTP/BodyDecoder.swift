import Base

/// Decodes a request's body by its framing (RFC 9112 sections 6 and 7), incrementally.
///
/// `body` collects at most `limit` bytes, or what was not taken of them. The result does not depend on how the input is split. Trailers are parsed,
/// bounded and discarded (RFC 9110 section 6.5.1).
package struct BodyDecoder: Sendable {
  typealias Buffer = UnsafeBufferPointer<UInt8>

  /// The result of feeding bytes.
  package enum Progress: Hashable, Sendable {
    /// All bytes were consumed; more are needed.
    case needsMore
    /// The body is complete after this many of the bytes; the next request follows.
    case complete(consumed: Int)
    /// The body is malformed: respond with the error's status and close.
    case invalid(ProtocolError)
  }

  /// The element of the chunked coding that is being read (RFC 9112 section 7.1).
  enum Phase: Hashable, Sendable {
    case fixed(remaining: Int)
    case size(digits: Int, value: Int)
    case spaceAfterSize(value: Int)
    case chunkExtension(ChunkExtension, value: Int)
    case sizeLineFeed(value: Int)
    case data(remaining: Int)
    case dataEnd, dataLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, endLineFeed
    case complete
    case failed(ProtocolError)
  }

  /// The position in a chunk's extensions: *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] ).
  enum ChunkExtension: Hashable, Sendable {
    case beforeName, name, afterName, beforeValue, token, quoted, escaped, afterQuoted, afterValue

    /// The position after `byte`; nil if the grammar does not allow it.
    func next(_ byte: UInt8) -> ChunkExtension? {
      let isSpace = Characters.isWhitespace(byte)
      switch (self, byte) {
      case (.beforeName, _) where isSpace, (.beforeValue, _) where isSpace: return self
      case (.beforeName, _) where Characters.isToken(byte), (.name, _) where Characters.isToken(byte): return .name
      case (.name, UInt8(ascii: "=")), (.afterName, UInt8(ascii: "=")): return .beforeValue
      case (.name, _) where isSpace, (.afterName, _) where isSpace: return .afterName
      case (.beforeValue, UInt8(ascii: "\"")): return .quoted
      case (.beforeValue, _) where Characters.isToken(byte), (.token, _) where Characters.isToken(byte): return .token
      case (.quoted, UInt8(ascii: "\"")): return .afterQuoted
      case (.quoted, UInt8(ascii: "\\")): return .escaped
      case (.quoted, _) where Characters.isFieldValue(byte), (.escaped, _) where Characters.isFieldValue(byte):
        return .quoted
      case (.token, _) where isSpace, (.afterQuoted, _) where isSpace, (.afterValue, _) where isSpace:
        return .afterValue
      case (.name, UInt8(ascii: ";")), (.afterName, UInt8(ascii: ";")), (.token, UInt8(ascii: ";")),
        (.afterQuoted, UInt8(ascii: ";")), (.afterValue, UInt8(ascii: ";")):
        return .beforeName
      default: return nil
      }
    }

    /// Whether the line may end here: not before a name or value, nor after white space, which only `;` or `=` may
    /// follow.
    var isWhole: Bool { self == .name || self == .token || self == .afterQuoted }
  }

  /// The body decoded so far, without what was taken.
  package private(set) var body: [UInt8] = []
  /// The number of bytes decoded so far, with those taken.
  private var count = 0
  private let limit: Int
  private let limits: Limits
  private var phase: Phase
  private var extensionBytes = 0
  private var trailerBytes = 0
  private var trailerCount = 0

  /// A decoder for one body of at most `limit` bytes; more is 413.
  package init(framing: BodyFraming, limit: Int, limits: Limits = Limits()) {
    self.limit = limit
    self.limits = limits
    switch framing {
    case .none: phase = .complete
    case .length where framing.exceeds(limit): phase = .failed(BodyDecoder.tooLarge)
    case .length(let length): phase = length == 0 ? .complete : .fixed(remaining: length)
    case .chunked: phase = .size(digits: 0, value: 0)
    }
  }

  private static var tooLarge: ProtocolError { ProtocolError(.contentTooLarge, "the body is too large") }

  /// Whether the request has no body, so that nothing needs to be fed.
  package var isComplete: Bool { phase == .complete }

  /// Decodes the next bytes. `.complete` and `.invalid` are final.
  package mutating func feed(_ bytes: Span<UInt8>) -> Progress {
    bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      do throws(ProtocolError) {
        while phase != .complete {
          if case .failed(let error) = phase { throw error }
          guard position < bytes.count else { return .needsMore }
          try step(bytes, &position)
        }
        return .complete(consumed: position)
      } catch {
        phase = .failed(error)
        return .invalid(error)
      }
    }
  }

  /// Moves what has been decoded out of the decoder, which goes on with the rest.
  package mutating func takeBody() -> [UInt8] {
    let taken = body
    body = []
    return taken
  }

  /// Reads one element's next bytes; at least one byte is there.
  private mutating func step(_ bytes: Buffer, _ position: inout Int) throws(ProtocolError) {
    switch phase {
    case .fixed(let remaining):
      let taken = take(remaining, bytes, &position)
      phase = taken == remaining ? .complete : .fixed(remaining: remaining - taken)
    case .data(let remaining):
      let taken = take(remaining, bytes, &position)
      phase = taken == remaining ? .dataEnd : .data(remaining: remaining - taken)
    case .complete, .failed:
      break
    case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .endLineFeed:
      try readTrailer(bytes[position])
      position += 1
    case .size, .spaceAfterSize, .chunkExtension, .sizeLineFeed, .dataEnd, .dataLineFeed:
      try readChunkLine(bytes[position])
      position += 1
    }
  }

  private mutating func take(_ count: Int, _ bytes: Buffer, _ position: inout Int) -> Int {
    let taken = min(count, bytes.count - position)
    if body.isEmpty { body.reserveCapacity(min(count, 64 * 1024)) }
    body.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position..<(position + taken)]))
    position += taken
    self.count += taken
    return taken
  }

  /// chunk-size [ chunk-ext ] CRLF, and the CRLF behind a chunk's data (RFC 9112 section 7.1).
  private mutating func readChunkLine(_ byte: UInt8) throws(ProtocolError) {
    switch (phase, byte) {
    case (.size(let digits, let value), _):
      try readSize(byte, digits: digits, value: value)
    case (.spaceAfterSize(let value), UInt8(ascii: ";")):
      phase = .chunkExtension(.beforeName, value: value)
    case (.spaceAfterSize, _) where Characters.isWhitespace(byte):
      try countExtension()
    case (.chunkExtension(let part, let value), Characters.carriageReturn) where part.isWhole:
      phase = .sizeLineFeed(value: value)
    case (.chunkExtension(let part, let value), _):
      // Unknown extensions are ignored, their total is bounded (section 7.1.1).
      try countExtension()
      guard let next = part.next(byte) else { throw ProtocolError(.badRequest, "invalid chunk extension") }
      phase = .chunkExtension(next, value: value)
    case (.sizeLineFeed(let value), Characters.lineFeed):
      phase = value == 0 ? .trailerStart : .data(remaining: value)
    case (.dataEnd, Characters.carriageReturn):
      phase = .dataLineFeed
    case (.dataLineFeed, Characters.lineFeed):
      phase = .size(digits: 0, value: 0)
    default:
      throw ProtocolError(.badRequest, "invalid chunk")
    }
  }

  private mutating func readSize(_ byte: UInt8, digits: Int, value: Int) throws(ProtocolError) {
    if let digit = byte.hexadecimalValue {
      // Leading zeros are allowed, but bounded.
      guard digits < 16 else { throw ProtocolError(.badRequest, "the chunk size is too long") }
      // A size beyond the limit is refused before it can overflow (RFC 9112 section 7.1).
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 16)
      guard !overflow, shifted <= limit - count, shifted + Int(digit) <= limit - count else {
        throw BodyDecoder.tooLarge
      }
      phase = .size(digits: digits + 1, value: shifted + Int(digit))
      return
    }
    guard digits > 0 else { throw ProtocolError(.badRequest, "invalid chunk size") }
    switch byte {
    case Characters.carriageReturn: phase = .sizeLineFeed(value: value)
    case UInt8(ascii: ";"): phase = .chunkExtension(.beforeName, value: value)
    // Bad white space, which only an extension may follow (section 7.1.1).
    case Characters.space, Characters.tab: phase = .spaceAfterSize(value: value)
    default: throw ProtocolError(.badRequest, "invalid chunk size")
    }
  }

  private mutating func countExtension() throws(ProtocolError) {
    extensionBytes += 1
    guard extensionBytes <= limits.chunkExtensionBytes else {
      throw ProtocolError(.badRequest, "the chunk extensions are too large")
    }
  }

  /// The trailer section (RFC 9112 section 7.1.2): field lines by the rules of the head's, then the empty line.
  private mutating func readTrailer(_ byte: UInt8) throws(ProtocolError) {
    trailerBytes += 1
    guard trailerBytes <= limits.chunkExtensionBytes else {
      throw ProtocolError(.requestHeaderFieldsTooLarge, "the trailers are too large")
    }
    switch (phase, byte) {
    case (.trailerStart, Characters.carriageReturn):
      phase = .endLineFeed
    case (.trailerStart, _) where Characters.isToken(byte):
      trailerCount += 1
      guard trailerCount <= limits.fieldCount else {
        throw ProtocolError(.requestHeaderFieldsTooLarge, "too many trailers")
      }
      phase = .trailerName
    case (.trailerName, UInt8(ascii: ":")):
      phase = .trailerValue
    case (.trailerName, _) where Characters.isToken(byte):
      break
    case (.trailerValue, Characters.carriageReturn):
      phase = .trailerLineFeed
    case (.trailerValue, _) where Characters.isFieldValue(byte):
      break
    case (.trailerLineFeed, Characters.lineFeed):
      phase = .trailerStart
    case (.endLineFeed, Characters.lineFeed):
      phase = .complete
    default:
      throw ProtocolError(.badRequest, "invalid trailer")
    }
  }
}
