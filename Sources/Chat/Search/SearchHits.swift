/// Finds in a text what a query asks for: the same tokens as in the index, so that what was found can be shown.
struct SearchHits {
  private let tokens: [SearchToken]
  private let words: [SearchToken]
  private let isByParts: Bool

  init(in text: String, isByParts: Bool) {
    tokens = SearchTokenizer.tokens(of: text)
    words = tokens.filter { !$0.isPart }
    self.isByParts = isByParts
  }

  /// Where the terms stand, in order, none overlapping another.
  func ranges(of terms: [SearchQuery.Term]) -> [Range<String.Index>] {
    let found = terms.flatMap { $0.tokens.count == 1 ? single($0) : phrase($0) }
    var ranges: [Range<String.Index>] = []
    for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = ranges.last, range.lowerBound < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  private func single(_ term: SearchQuery.Term) -> [Range<String.Index>] {
    let wanted = term.tokens[0]
    let mayBePart = isByParts && term.mayBePart
    return tokens.filter { token in
      if token.text == wanted { return true }
      if mayBePart { return token.text.contains(wanted) }
      return term.isPrefix && token.text.hasPrefix(wanted)
    }.map(\.range)
  }

  /// Words beside each other (Knuth, Morris and Pratt 1977, so that the work grows with the text alone). The first and
  /// the last may be the end and the beginning of a longer word; those between must be equal.
  private func phrase(_ term: SearchQuery.Term) -> [Range<String.Index>] {
    let mayBePart = isByParts && term.mayBePart
    let head = mayBePart && term.tokens[0].unicodeScalars.count >= SearchQuery.Term.shortestPart ? 1 : 0
    let tail = mayBePart || term.isPrefix ? 1 : 0
    let core = Array(term.tokens[head..<(term.tokens.count - tail)])
    var found: [Range<String.Index>] = []
    func check(_ start: Int) {
      let (first, last) = (start - head, start + core.count + tail - 1)
      guard first >= 0, last < words.count else { return }
      if head == 1, !words[first].text.hasSuffix(term.tokens[0]) { return }
      if tail == 1, let end = term.tokens.last, !words[last].text.hasPrefix(end) { return }
      found.append(words[first].range.lowerBound..<words[last].range.upperBound)
    }
    guard !core.isEmpty else {
      for start in words.indices { check(start) }
      return found
    }
    let fallback = SearchHits.fallback(of: core)
    var matched = 0
    for (index, word) in words.enumerated() {
      while matched > 0, matched == core.count || word.text != core[matched] { matched = fallback[matched - 1] }
      if word.text == core[matched] { matched += 1 }
      if matched == core.count { check(index - core.count + 1) }
    }
    return found
  }

  /// For each prefix of `core`, how long its longest proper prefix is that is also its suffix.
  private static func fallback(of core: [String]) -> [Int] {
    var fallback = [Int](repeating: 0, count: core.count)
    var matched = 0
    for index in core.indices.dropFirst() {
      while matched > 0, core[index] != core[matched] { matched = fallback[matched - 1] }
      if core[index] == core[matched] { matched += 1 }
      fallback[index] = matched
    }
    return fallback
  }
}
