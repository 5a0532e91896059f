/// The content codings that this program can send (RFC 9110 section 8.4.1).
public enum ContentCoding: String, Hashable, Sendable {
  /// As it is.
  case identity
  /// RFC 1952.
  case gzip

  /// Whether content of this type usually becomes much smaller: texts do; pictures and fonts are compressed already.
  /// An event stream is not content to be coded: it would wait in the coder's buffer.
  ///
  /// - Parameter contentType: a Content-Type's value, with or without parameters.
  public static func isWorthwhile(for contentType: String) -> Bool {
    // Most answers are JSON: no parsing for them.
    if contentType == "application/json" { return true }
    guard let essence = MediaType(contentType)?.essence, essence != "text/event-stream" else { return false }
    return essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
      || ["application/json", "application/xml", "application/javascript"].contains(essence)
  }
}

/// What a request says about content codings (RFC 9110 section 12.5.3).
public struct AcceptEncoding: Hashable, Sendable {
  /// Weights in thousandths by coding, in lower case; the first mention counts.
  private var weights: [String: Int] = [:]

  /// What `head` says. Without the field a client would have to take anything, but one that does not ask for a coding
  /// may well not know any: it counts as one that takes identity only, as an empty field does.
  public init(_ head: RequestHead) {
    self.init(head.all(.acceptEncoding).joined(separator: ","))
  }

  /// What a field's value says. A member of the list that is malformed is as if it were not there.
  public init(_ value: String) {
    for member in value.utf8.split(separator: UInt8(ascii: ",")) {
      guard let (name, weight) = AcceptEncoding.parse(member), weights[name] == nil else { continue }
      weights[name] = weight
    }
  }

  /// Whether a representation in this coding may be sent. Identity may unless it is refused, by itself or by `*;q=0`.
  public func accepts(_ coding: ContentCoding) -> Bool {
    weight(of: coding) ?? (coding == .identity ? 1 : 0) > 0
  }

  /// The coding to choose where both are to be had: gzip, unless it is refused or identity is preferred to it. Where
  /// nothing is acceptable it is identity all the same, which each client understands.
  public var preferred: ContentCoding {
    guard let gzip = weight(of: .gzip), gzip > 0 else { return .identity }
    // Identity that nobody mentioned is acceptable, but not wished for.
    return gzip >= weight(of: .identity) ?? 0 ? .gzip : .identity
  }

  /// The weight that the field gives to a coding, by its name or by `*`; nil where it says nothing about it.
  private func weight(of coding: ContentCoding) -> Int? {
    weights[coding.rawValue] ?? weights["*"]
  }

  /// `gzip;q=0.5`: a token, in lower case, and perhaps a weight in thousandths (sections 12.4.2 and 12.4.3); nil when it
  /// is anything else.
  static func parse(_ member: Substring.UTF8View) -> (name: String, weight: Int)? {
    var rest = member.drop(while: Characters.isWhitespace)
    let token = rest.prefix(while: Characters.isToken)
    guard !token.isEmpty else { return nil }
    rest = rest.dropFirst(token.count).drop(while: Characters.isWhitespace)
    let name = String(Substring(token)).lowercased()
    // Section 8.4.1.3: the old name means the same.
    let coding = name == "x-gzip" ? "gzip" : name
    guard let separator = rest.popFirst() else { return (coding, 1000) }
    guard separator == UInt8(ascii: ";") else { return nil }
    rest = rest.drop(while: Characters.isWhitespace)
    guard rest.popFirst().map(Characters.lowercased) == UInt8(ascii: "q"), rest.popFirst() == UInt8(ascii: "="),
      let weight = thousandths(rest)
    else { return nil }
    return (coding, weight)
  }

  /// A qvalue: `0` or `1` with three decimals at most, and not more than 1.
  private static func thousandths(_ text: Substring.UTF8View) -> Int? {
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
