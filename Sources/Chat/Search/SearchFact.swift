/// The values of the filter `has:`.
package enum SearchFact: String, CaseIterable, Hashable, Sendable {
  /// A web address.
  case link
  /// Text between backticks.
  case code
  /// `@` followed by a name.
  case mention

  /// The facts that apply to a text, found in one pass over its bytes each.
  package static func facts(of text: String) -> Set<SearchFact> {
    var facts: Set<SearchFact> = []
    let bytes = Array(text.utf8)
    var backticks = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "`"): backticks += 1
      case UInt8(ascii: "@"):
        let isStart = index == 0 || !isNamePart(bytes[index - 1])
        if isStart, index + 1 < bytes.count, isNamePart(bytes[index + 1]) { facts.insert(.mention) }
      case UInt8(ascii: ":"):
        if isWebAddress(bytes, colon: index) { facts.insert(.link) }
      default: break
      }
    }
    if backticks >= 2 { facts.insert(.code) }
    return facts
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// `http://x` or `https://x`, ignoring case.
  private static func isWebAddress(_ bytes: [UInt8], colon: Int) -> Bool {
    guard colon + 3 < bytes.count, bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/"),
      bytes[colon + 3] > 0x20
    else { return false }
    return ["http", "https"].contains { scheme in
      colon >= scheme.utf8.count
        && bytes[(colon - scheme.utf8.count)..<colon].elementsEqual(scheme.utf8) { $0 | 0x20 == $1 }
    }
  }
}
