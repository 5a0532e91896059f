import HTTP
import TestSupport
import Testing

/// The result of parsing some bytes, comparable.
enum Outcome: Hashable, CustomStringConvertible {
  case incomplete
  case invalid(Int, String)
  case parsed(String, consumed: Int)

  var description: String {
    switch self {
    case .incomplete: "incomplete"
    case .invalid(let code, let detail): "\(code) \(detail)"
    case .parsed(let text, let consumed): "\(text) in \(consumed) bytes"
    }
  }

  var status: Int? {
    if case .invalid(let code, _) = self { return code }
    return nil
  }
}

/// Feeds a parser the same bytes whole, byte by byte and split in two at every position, and requires the same result.
struct ParserVerifier {
  var limits = Limits()

  func head(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> RequestHead {
    var parser = RequestParser(limits: limits)
    _ = outcome(text, sourceLocation: sourceLocation)
    guard case .parsed(let head, _) = parser.parse(Array(text.utf8).span) else {
      throw ProtocolError(.badRequest, "no head in \(text.debugDescription)")
    }
    return head
  }

  func outcome(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
    outcome(Array(text.utf8), sourceLocation: sourceLocation)
  }

  func outcome(
    _ bytes: [UInt8], everySplit: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    let whole = parse(bytes, showing: [bytes.count])
    #expect(parse(bytes, showing: 0...bytes.count) == whole, "byte by byte", sourceLocation: sourceLocation)
    for cut in 0...bytes.count where everySplit {
      #expect(
        parse(bytes, showing: [cut, bytes.count]) == whole, "cut at \(cut)", sourceLocation: sourceLocation)
    }
    return whole
  }

  private func parse(_ bytes: [UInt8], showing counts: some Sequence<Int>) -> Outcome {
    var parser = RequestParser(limits: limits)
    for count in counts {
      switch parser.parse(bytes.span.extracting(first: count)) {
      case .incomplete: continue
      case .invalid(let error): return .invalid(error.status.code, error.detail)
      case .parsed(let head, let consumed): return .parsed(Self.describe(head), consumed: consumed)
      }
    }
    return .incomplete
  }

  private static func describe(_ head: RequestHead) -> String {
    let fields = head.fieldLines.map { "\($0.name)=\($0.value.debugDescription)" }.joined(separator: ",")
    return "\(head.method) \(head.targetForm) \(head.target) \(head.path) \(head.query.raw) \(head.version) "
      + "\(head.framing) \(head.keepAlive) \(head.expectsContinue) \(head.host ?? "-") [\(fields)]"
  }
}

/// The same for the body decoder; the text of `.parsed` is the body.
struct BodyVerifier {
  var framing = BodyFraming.chunked
  var limit = 64 * 1024
  var limits = Limits()

  func outcome(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
    outcome(Array(text.utf8), sourceLocation: sourceLocation)
  }

  func outcome(
    _ bytes: [UInt8], everySplit: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    let whole = decode(bytes, cuts: [bytes.count])
    #expect(decode(bytes, cuts: 0...bytes.count) == whole, "byte by byte", sourceLocation: sourceLocation)
    for cut in 0...bytes.count where everySplit {
      #expect(decode(bytes, cuts: [cut, bytes.count]) == whole, "cut at \(cut)", sourceLocation: sourceLocation)
    }
    return whole
  }

  private func decode(_ bytes: [UInt8], cuts: some Sequence<Int>) -> Outcome {
    var decoder = BodyDecoder(framing: framing, limit: limit, limits: limits)
    var start = 0
    for end in cuts {
      switch decoder.feed(bytes.span.extracting(start..<end)) {
      case .needsMore: start = end
      case .invalid(let error): return .invalid(error.status.code, error.detail)
      case .complete(let consumed):
        return .parsed(String(decoding: decoder.takeBody(), as: UTF8.self), consumed: start + consumed)
      }
    }
    return .incomplete
  }
}
