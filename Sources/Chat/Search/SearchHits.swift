/// Finds a query's terms in a text. Uses the same tokens as the index, so that every match can be highlighted.
struct SearchHits {
  private let tokens: [SearchToken]
  private let isByParts: Bool

  init(in text: String, isByParts: Bool) {
    tokens = SearchTokenizer.tokens(of: text)
    self.isByParts = isByParts
  }

  /// The ranges of the terms in bytes of UTF-8, in order, without overlaps.
  func ranges(of terms: [SearchQuery.Term]) -> [Range<Int>] {
    let found = terms.flatMap { $0.tokens.count == 1 ? single($0) : phrase($0) }
    var ranges: [Range<Int>] = []
    for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = ranges.last, range.lowerBound < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  private func single(_ term: SearchQuery.Term) -> [Range<Int>] {
    let wanted = term.tokens[0]
    let mayBePart = isByParts && term.mayBePart
    return tokens.compactMap { token in
      let isHit = mayBePart ? token.text.contains(wanted) : term.isPrefix && token.text.utf8.starts(with: wanted.utf8)
      return isHit || token.text == wanted ? token.range : nil
    }
  }

  /// Adjacent words, found in linear time (Knuth, Morris and Pratt 1977). The first and last term may be the end and
  /// the start of a longer word; those in between must match whole words.
  private func phrase(_ term: SearchQuery.Term) -> [Range<Int>] {
    let words = tokens.filter { !$0.isPart }
    let mayBePart = isByParts && term.mayBePart
    let head = mayBePart && term.tokens[0].unicodeScalars.count >= SearchQuery.Term.shortestPart ? 1 : 0
    let tail = mayBePart || term.isPrefix ? 1 : 0
    let core = Array(term.tokens[head..<(term.tokens.count - tail)])
    var found: [Range<Int>] = []
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

  /// For each prefix of `core`, the length of its longest proper prefix that is also its suffix.
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
