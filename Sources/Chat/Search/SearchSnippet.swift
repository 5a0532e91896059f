/// A piece of a found message as it is shown in the list of hits: plain text, marked or not.
public struct SnippetPiece: Hashable, Sendable {
  /// The text, on one line.
  public var text: String
  /// Whether it is what was looked for.
  public var isHit: Bool

  /// A piece from its parts.
  public init(text: String, isHit: Bool) {
    self.text = text
    self.isHit = isHit
  }
}

/// Cuts the place of the first hit out of a message.
public enum SearchSnippet {
  /// About how long a snippet is, in Unicode scalars.
  public static let length = 160
  /// How much of it stands before the first hit, at most.
  static let lead = 40

  /// The pieces around the first hit, with all hits among them; the text's beginning where the query has no words.
  /// `isByParts` as in `FoundMessages`.
  public static func pieces(of text: String, for query: SearchQuery, isByParts: Bool) -> [SnippetPiece] {
    let hits = SearchHits(in: text, isByParts: isByParts).ranges(of: query.terms)
    let window = window(in: text.unicodeScalars, around: hits.first)
    var pieces: [SnippetPiece] = []
    var position = window.lowerBound
    func add(_ end: String.Index, isHit: Bool) {
      guard position < end else { return }
      pieces.append(SnippetPiece(text: onOneLine(text.unicodeScalars[position..<end]), isHit: isHit))
      position = end
    }
    for hit in hits where hit.upperBound > window.lowerBound && hit.lowerBound < window.upperBound {
      add(hit.lowerBound, isHit: false)
      add(min(hit.upperBound, window.upperBound), isHit: true)
    }
    add(window.upperBound, isHit: false)
    if window.lowerBound > text.startIndex { pieces.insert(SnippetPiece(text: "…", isHit: false), at: 0) }
    if window.upperBound < text.endIndex { pieces.append(SnippetPiece(text: "…", isHit: false)) }
    return joined(pieces)
  }

  /// A little before the hit, from a word's beginning where there is one, and on to the full length or, where that
  /// leaves the message's end, a word's end.
  private static func window(
    in scalars: String.UnicodeScalarView, around hit: Range<String.Index>?
  ) -> Range<String.Index> {
    let first = hit?.lowerBound ?? scalars.startIndex
    var start = scalars.index(first, offsetBy: -lead, limitedBy: scalars.startIndex) ?? scalars.startIndex
    if start > scalars.startIndex, let space = scalars[start..<first].firstIndex(where: \.properties.isWhitespace) {
      start = scalars.index(after: space)
    }
    guard var end = scalars.index(start, offsetBy: length, limitedBy: scalars.endIndex), end < scalars.endIndex else {
      return start..<scalars.endIndex
    }
    let rest = max(hit?.upperBound ?? start, scalars.index(end, offsetBy: -lead))
    if rest < end, let space = scalars[rest..<end].lastIndex(where: \.properties.isWhitespace), space > start {
      end = space
    }
    return start..<end
  }

  private static func onOneLine(_ scalars: Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar.properties.isWhitespace ? " " : scalar) }
    return String(text)
  }

  /// Neighbours of the same kind as one.
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
