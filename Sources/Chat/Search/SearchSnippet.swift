/// A piece of a result's excerpt: plain text, highlighted or not.
package struct SnippetPiece: Hashable, Sendable {
  /// The text, on one line.
  package var text: String
  /// Whether it is a hit.
  package var isHit: Bool

  package init(text: String, isHit: Bool) {
    self.text = text
    self.isHit = isHit
  }
}

/// Makes the excerpt around the first hit of a message.
package enum SearchSnippet {
  /// The approximate length of an excerpt, in Unicode scalars.
  package static let length = 160
  /// The maximum length before the first hit.
  static let lead = 40

  /// The pieces of the plain line around the first hit, with all hits in that range; the start of the line if the query
  /// has no words. `isByParts` as in `FoundMessages`.
  package static func pieces(of text: String, for query: SearchQuery, isByParts: Bool) -> [SnippetPiece] {
    let line = PlainLine.of(text)
    let hits = SearchHits(in: line, isByParts: isByParts).ranges(of: query.terms)
    guard hits.isEmpty, line != text else { return UTF8Scalars.read(line) { pieces(of: $0, hits) } }
    // The text as it is written, if that alone has what was found: the address of a link, the language of code.
    let hidden = SearchHits(in: text, isByParts: isByParts).ranges(of: query.terms)
    return UTF8Scalars.read(hidden.isEmpty ? line : text) { pieces(of: $0, hidden) }
  }

  private static func pieces(of text: UTF8Scalars, _ hits: [Range<Int>]) -> [SnippetPiece] {
    let window = window(in: text, around: hits.first)
    var pieces: [SnippetPiece] = []
    var position = window.lowerBound
    func add(_ end: Int, isHit: Bool) {
      guard position < end else { return }
      pieces.append(SnippetPiece(text: onOneLine(text.string(position..<end)), isHit: isHit))
      position = end
    }
    if window.lowerBound > 0 { pieces.append(SnippetPiece(text: "…", isHit: false)) }
    for hit in hits where hit.upperBound > window.lowerBound && hit.lowerBound < window.upperBound {
      add(hit.lowerBound, isHit: false)
      add(min(hit.upperBound, window.upperBound), isHit: true)
    }
    add(window.upperBound, isHit: false)
    if window.upperBound < text.count { pieces.append(SnippetPiece(text: "…", isHit: false)) }
    return joined(pieces)
  }

  /// From a little before the hit, at a word's start if possible, to the full length, at a word's end unless it is the
  /// end of the message.
  private static func window(in text: UTF8Scalars, around hit: Range<Int>?) -> Range<Int> {
    let first = hit?.lowerBound ?? 0
    var start = text.index(first, movedBackBy: lead)
    if start > 0, let space = text.firstIndex(in: start..<first, where: isSpace) { start = text.index(after: space) }
    var end = text.index(start, movedBy: length)
    guard end < text.count else { return start..<text.count }
    var space = text.index(end, movedBackBy: lead)
    let rest = max(hit?.upperBound ?? start, space)
    space = end
    while space > rest {
      space = text.index(space, movedBackBy: 1)
      guard isSpace(text[space]) else { continue }
      if space > start { end = space }
      break
    }
    return start..<end
  }

  private static func onOneLine(_ text: String) -> String {
    // Beyond ASCII there are other spaces.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(isSpace(scalar) ? " " : scalar) }
    return String(line)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// Merges adjacent pieces of the same kind.
  private static func joined(_ pieces: [SnippetPiece]) -> [SnippetPiece] {
    var joined: [SnippetPiece] = []
    for piece in pieces {
      if let last = joined.last, last.isHit == piece.isHit {
        joined[joined.count - 1].text += piece.text
      } else {
        joined.append(piece)
      }
    }
    return joined
  }
}
