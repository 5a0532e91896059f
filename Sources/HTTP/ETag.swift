/// An entity tag (RFC 9110 section 8.8.3).
public struct ETag: Hashable, Sendable, CustomStringConvertible {
  /// The text between the quotes.
  public let opaque: String
  /// Marked `W/`: equivalent, not equal byte for byte.
  public let isWeak: Bool

  /// A tag of that text, such as a hash in hexadecimal. Characters that may not stand between the quotes are a mistake
  /// in the program and trap.
  public init(_ opaque: String, isWeak: Bool = false) {
    precondition(opaque.utf8.allSatisfy(ETag.isTagCharacter), "not an entity tag")
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// A tag as it was sent; nil when it is malformed.
  public init?(parsing value: String) {
    guard let tags = ETag.list(value), tags.count == 1, let tag = tags.first else { return nil }
    self = tag
  }

  /// The tag as it is sent, quotes included.
  public var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

  /// Equal and both strong (RFC 9110 section 8.8.3.2).
  public func matchesStrongly(_ other: ETag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// Equal whether weak or not (RFC 9110 section 8.8.3.2).
  public func matchesWeakly(_ other: ETag) -> Bool {
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
