/// An entity tag (RFC 9110 section 8.8.3).
package struct ETag: Hashable, Sendable, CustomStringConvertible {
  /// The text between the quotes.
  package let opaque: String
  /// Marked `W/`: equivalent, not equal byte for byte.
  package let isWeak: Bool

  /// A tag with this text, such as a hexadecimal hash. Traps on characters that a tag may not contain.
  package init(_ opaque: String, isWeak: Bool = false) {
    precondition(opaque.utf8.allSatisfy(ETag.isTagCharacter), "not an entity tag")
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// Parses a tag; nil when it is malformed.
  package init?(parsing value: String) {
    guard let tags = ETag.list(value), tags.count == 1, let tag = tags.first else { return nil }
    self = tag
  }

  /// The tag with its quotes.
  package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

  /// Equal and both strong (RFC 9110 section 8.8.3.2).
  package func matchesStrongly(_ other: ETag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// Equal whether weak or not (RFC 9110 section 8.8.3.2).
  package func matchesWeakly(_ other: ETag) -> Bool {
    opaque == other.opaque
  }

  /// A list of tags, as If-Match and If-None-Match carry it; nil when it is malformed.
  static func list(_ value: String) -> [ETag]? {
    var tags: [ETag] = []
    var rest = Substring(value).utf8
    while true {
      rest = rest.drop { Characters.isWhitespace($0) || $0 == UInt8(ascii: ",") }
      if rest.isEmpty { return tags }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\"") else { return nil }
      rest = rest.dropFirst()
      let opaque = rest.prefix(while: isTagCharacter)
      rest = rest.dropFirst(opaque.count)
      guard rest.first == UInt8(ascii: "\"") else { return nil }
      rest = rest.dropFirst()
      tags.append(ETag(String(Substring(opaque)), isWeak: isWeak))
      rest = rest.drop(while: Characters.isWhitespace)
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
  }

  /// etagc: "!", 0x23 to 0x7E, obs-text.
  private static func isTagCharacter(_ byte: UInt8) -> Bool {
    byte == 0x21 || (byte >= 0x23 && byte != Characters.delete)
  }
}
