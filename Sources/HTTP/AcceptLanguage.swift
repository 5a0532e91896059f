/// The languages a request prefers (RFC 9110 section 12.5.4).
package struct AcceptLanguage: Hashable, Sendable {
  /// Ranges beyond this are ignored, to bound the cost of a field; browsers send a handful.
  private static let mostRanges = 32
  private static let longestRange = 35

  /// Language ranges in lower case, by descending weight; those of weight 0 are left out.
  private let ranges: [String]

  /// Reads the field from `head`.
  package init(_ head: RequestHead) {
    self.init(head.all(.acceptLanguage).joined(separator: ","))
  }

  /// Parses a field value; malformed list members are skipped.
  package init(_ value: String) {
    let members = Array(value.utf8).split(separator: UInt8(ascii: ","), maxSplits: AcceptLanguage.mostRanges)
      .prefix(AcceptLanguage.mostRanges).compactMap { AcceptEncoding.parse($0) }
      .filter { $0.weight > 0 && $0.name.count <= AcceptLanguage.longestRange }
    // Ranges of equal weight keep their order, as browsers intend.
    ranges = members.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map { String(decoding: $0.element.name.map(Characters.lowercased), as: UTF8.self) }
  }

  /// The best of `tags` by lookup (RFC 4647 section 3.4): each range in turn, then its parent (`de` for `de-AT`).
  /// `tags` are in lower case. Nil if none matches or any language is accepted.
  package func best(of tags: [String]) -> String? {
    for range in ranges {
      if range == "*" { return nil }
      var range = range
      while true {
        if tags.contains(range) { return range }
        guard let end = range.lastIndex(of: "-") else { break }
        range = String(range[..<end])
      }
    }
    return nil
  }
}
