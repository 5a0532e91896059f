/// What a request says about languages (RFC 9110 section 12.5.4).
public struct AcceptLanguage: Hashable, Sendable {
  /// Browsers name a handful, of a few letters each (RFC 5646 section 4.4.1 counts up to 35); more are not looked at, so
  /// that no field costs more than its length.
  private static let mostRanges = 32
  private static let longestRange = 35

  /// Language ranges in lower case, those wished for most first; refused ones are left out.
  private let ranges: [String]

  /// What `head` says.
  public init(_ head: RequestHead) {
    self.init(head.all("accept-language").joined(separator: ","))
  }

  /// What a field's value says. A member of the list that is malformed is as if it were not there.
  public init(_ value: String) {
    let members = value.utf8.split(separator: UInt8(ascii: ","), maxSplits: AcceptLanguage.mostRanges)
      .prefix(AcceptLanguage.mostRanges).compactMap { AcceptEncoding.parse($0) }
      .filter { $0.name.utf8.count <= AcceptLanguage.longestRange }
    // Of equal weights the first counts more, as browsers write them; sorting by the place too keeps that.
    ranges = members.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.name)
  }

  /// The first of `tags` that somebody who asks so reads, by lookup (RFC 4647 section 3.4): of each range in turn, then of
  /// its parent (`de` for `de-AT`). `tags` are in lower case. Nil where there is none, or where any language will do.
  public func best(of tags: [String]) -> String? {
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
