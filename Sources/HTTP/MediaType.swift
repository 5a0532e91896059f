/// A media type with its parameters (RFC 9110 section 8.3.1).
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
  /// Type and subtype in lower case, such as `application/json`.
  package let essence: String
  /// Parameters, names in lower case, values without quotes.
  package let parameters: [String: String]

  /// Parses a Content-Type's value; nil if it is malformed. The first of repeated parameters wins.
  package init?(_ text: String) {
    var rest = Substring(text).utf8
    let type = MediaType.token(&rest)
    guard !type.isEmpty, rest.popFirst() == UInt8(ascii: "/") else { return nil }
    let subtype = MediaType.token(&rest)
    guard !subtype.isEmpty else { return nil }
    var parameters: [String: String] = [:]
    while true {
      rest = rest.drop(while: Characters.isWhitespace)
      guard let separator = rest.popFirst() else { break }
      guard separator == UInt8(ascii: ";") else { return nil }
      rest = rest.drop(while: Characters.isWhitespace)
      // An empty parameter is allowed (section 5.6.6).
      if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }
      let name = MediaType.token(&rest)
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = MediaType.value(&rest) else { return nil }
      if parameters[name.lowercased()] == nil { parameters[name.lowercased()] = value }
    }
    essence = "\(type)/\(subtype)".lowercased()
    self.parameters = parameters
  }

  /// The character encoding in lower case; nil if there is none.
  package var charset: String? { parameters["charset"]?.lowercased() }

  /// The type with its parameters sorted by name, each value quoted unless it is a token.
  package var description: String {
    parameters.sorted { $0.key < $1.key }.reduce(essence) { text, parameter in
      let (name, value) = parameter
      if !value.isEmpty, value.utf8.allSatisfy(Characters.isToken) { return "\(text);\(name)=\(value)" }
      let quoted = value.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
      return "\(text);\(name)=\"\(String(quoted))\""
    }
  }

  private static func token(_ rest: inout Substring.UTF8View) -> String {
    let token = rest.prefix(while: Characters.isToken)
    rest = rest.dropFirst(token.count)
    return String(Substring(token))
  }

  /// A token or a quoted string (section 5.6.4); nil when it is neither.
  private static func value(_ rest: inout Substring.UTF8View) -> String? {
    guard rest.first == UInt8(ascii: "\"") else {
      let value = token(&rest)
      return value.isEmpty ? nil : value
    }
    rest = rest.dropFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        value.append(escaped)
      default:
        value.append(byte)
      }
    }
    return nil
  }
}
