/// The content codings that this program can send (RFC 9110 section 8.4.1).
package enum ContentCoding: String, Hashable, Sendable {
  /// No coding.
  case identity
  /// RFC 1952.
  case gzip

  /// Whether content of this type compresses well: text does; pictures and fonts are compressed already. Event streams
  /// are not compressed, because events would wait in the encoder's buffer.
  ///
  /// - Parameter contentType: a Content-Type's value, with or without parameters.
  package static func isWorthwhile(for contentType: String) -> Bool {
    // Fast path: most responses are JSON.
    if contentType == "application/json" { return true }
    guard let essence = MediaType(contentType)?.essence, essence != "text/event-stream" else { return false }
    return essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
      || ["application/json", "application/xml", "application/javascript"].contains(essence)
  }
}

/// The content codings a request accepts (RFC 9110 section 12.5.3).
package struct AcceptEncoding: Hashable, Sendable {
  /// Weights in thousandths, of the codings that this program knows and of `*`; the first mention counts.
  private var gzip: Int?
  private var identity: Int?
  private var any: Int?

  /// Reads the field from `head`. Without the field any coding would be acceptable, but a client that requests none may
  /// support none: a missing field counts as an empty one, which accepts identity only.
  package init(_ head: RequestHead) {
    var start = 0
    while let index = head.line(.acceptEncoding, from: start) {
      add(head.bytes[head.lines[index].value.range])
      start = index + 1
    }
  }

  /// Parses a field value; malformed list members are skipped.
  package init(_ value: String) { add(Array(value.utf8)[...]) }

  private mutating func add(_ value: ArraySlice<UInt8>) {
    var rest = value
    while !rest.isEmpty {
      let member = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[member.endIndex...].dropFirst()
      guard let (name, weight) = AcceptEncoding.parse(member) else { continue }
      func isNamed(_ coding: String) -> Bool {
        name.count == coding.utf8.count && name.elementsEqual(coding.utf8) { Characters.lowercased($0) == $1 }
      }
      // Section 8.4.1.3: `x-gzip` is equivalent to `gzip`.
      if isNamed("gzip") || isNamed("x-gzip") {
        gzip = gzip ?? weight
      } else if isNamed("identity") {
        identity = identity ?? weight
      } else if isNamed("*") {
        any = any ?? weight
      }
    }
  }

  /// Whether a representation in this coding may be sent. Identity is acceptable unless it is refused, by name or by
  /// `*;q=0`.
  package func accepts(_ coding: ContentCoding) -> Bool {
    weight(of: coding) ?? (coding == .identity ? 1 : 0) > 0
  }

  /// The coding to choose if both are available: gzip unless it is refused or identity is preferred. If nothing is
  /// acceptable, identity, which every client understands.
  package var preferred: ContentCoding {
    guard let gzip = weight(of: .gzip), gzip > 0 else { return .identity }
    // Identity is acceptable without being mentioned, but not preferred.
    return gzip >= weight(of: .identity) ?? 0 ? .gzip : .identity
  }

  /// The weight of a coding, by its name or by `*`; nil if the field mentions neither.
  private func weight(of coding: ContentCoding) -> Int? {
    switch coding {
    case .gzip: gzip ?? any
    case .identity: identity ?? any
    }
  }

  /// Parses `gzip;q=0.5`: a token and optionally a weight in thousandths (sections 12.4.2 and 12.4.3); nil if malformed.
  static func parse(_ member: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, weight: Int)? {
    var rest = member.drop(while: Characters.isWhitespace)
    let name = rest.prefix(while: Characters.isToken)
    guard !name.isEmpty else { return nil }
    rest = rest.dropFirst(name.count).drop(while: Characters.isWhitespace)
    guard let separator = rest.popFirst() else { return (name, 1000) }
    guard separator == UInt8(ascii: ";") else { return nil }
    rest = rest.drop(while: Characters.isWhitespace)
    guard rest.popFirst().map(Characters.lowercased) == UInt8(ascii: "q"), rest.popFirst() == UInt8(ascii: "="),
      let weight = thousandths(rest)
    else { return nil }
    return (name, weight)
  }

  /// A qvalue: `0` or `1` with at most three decimals, and at most 1.
  private static func thousandths(_ text: ArraySlice<UInt8>) -> Int? {
    var text = text
    while text.last.map(Characters.isWhitespace) == true { text.removeLast() }
    guard let first = text.popFirst(), first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else { return nil }
    var weight = first == UInt8(ascii: "1") ? 1000 : 0
    guard let point = text.popFirst() else { return weight }
    guard point == UInt8(ascii: "."), text.count <= 3, text.allSatisfy(Characters.isDigit) else { return nil }
    for (digit, unit) in zip(text, [100, 10, 1]) { weight += Int(digit - 0x30) * unit }
    return weight <= 1000 ? weight : nil
  }
}
