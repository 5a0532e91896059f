/// A JSON value (RFC 8259) received in a request's body, small and validated.
enum JSONValue: Sendable, Equatable {
  case null
  case flag(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Why a text was rejected.
  enum Failure: Error, Equatable {
    /// Not JSON.
    case malformed
    /// Nested deeper or with more values than the limits allow.
    case tooLarge
  }

  /// The deepest nesting of arrays and objects.
  static let depthLimit = 16
  /// The maximum number of commas and colons, which bounds the number of members and elements.
  static let separatorLimit = 2000

  /// Parses a text. Depth and number of members are checked before memory is allocated for them.
  init(_ bytes: [UInt8]) throws(Failure) {
    try JSONValue.checkShape(bytes)
    self = try JSONParser.value(of: bytes)
  }

  /// Counts brackets and separators outside strings, and rejects a comma before a closing bracket.
  private static func checkShape(_ bytes: [UInt8]) throws(Failure) {
    var depth = 0
    var separators = 0
    var followsComma = false
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      if JSONValue.isWhitespace(byte) { continue }
      defer { followsComma = byte == UInt8(ascii: ",") }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > depthLimit { throw .tooLarge }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if followsComma { throw .malformed }
        depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        separators += 1
        if separators > separatorLimit { throw .tooLarge }
      default:
        break
      }
    }
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
