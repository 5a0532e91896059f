/// Parses a JSON text strictly by RFC 8259. Foundation's decoder is more lenient (it accepts a comma before a closing
/// bracket, for example), and what is accepted once has to be supported forever.
///
/// The caller bounds the nesting depth (`JSONValue.checkShape`), and with it the recursion. The last of several members
/// with the same name wins.
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0

  /// Parses a complete text. Throws `.malformed` if it is not JSON in UTF-8.
  static func value(of bytes: [UInt8]) throws(JSONValue.Failure) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    parser.skipSpace()
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw .malformed }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Whether `byte` comes next; if so, skips it.
  private mutating func take(_ byte: Character) -> Bool {
    guard next == byte.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONValue.Failure) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): .text(try text())
    case UInt8(ascii: "t"): try word("true", .flag(true))
    case UInt8(ascii: "f"): try word("false", .flag(false))
    case UInt8(ascii: "n"): try word("null", .null)
    default: try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONValue.Failure) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    let isThere = end <= bytes.count && word.withUTF8Buffer { bytes[position..<end].elementsEqual($0) }
    guard isThere else { throw .malformed }
    position = end
    return value
  }

  private mutating func object() throws(JSONValue.Failure) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw .malformed }
      let name = try text()
      skipSpace()
      guard take(":") else { throw .malformed }
      skipSpace()
      members[name] = try value()
      skipSpace()
    } while take(",")
    guard take("}") else { throw .malformed }
    return .object(members)
  }

  private mutating func array() throws(JSONValue.Failure) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      skipSpace()
      elements.append(try value())
      skipSpace()
    } while take(",")
    guard take("]") else { throw .malformed }
    return .array(elements)
  }
}

// MARK: Numbers

extension JSONParser {
  /// A number; an integer that fits is `.integer`, even if written as `1.0` or `1e2`.
  private mutating func number() throws(JSONValue.Failure) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    var isPlain = true
    if take(".") {
      isPlain = false
      try digits()
    }
    if take("e") || take("E") {
      isPlain = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let literal = String(decoding: bytes[start..<position], as: UTF8.self)
    if isPlain, let integer = Int(literal) { return .integer(integer) }
    guard let number = Double(literal) else { throw .malformed }
    return Int(exactly: number).map { .integer($0) } ?? .number(number)
  }

  /// At least one digit.
  private mutating func digits() throws(JSONValue.Failure) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw .malformed }
  }
}

// MARK: Strings

extension JSONParser {
  /// A string, starting at its opening quote.
  private mutating func text() throws(JSONValue.Failure) -> String {
    position += 1
    var decoded: [UInt8] = []
    var start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<position]
        position += 1
        let text =
          decoded.isEmpty ? String(validating: rest, as: UTF8.self) : String(validating: decoded + rest, as: UTF8.self)
        guard let text else { throw .malformed }
        return text
      case UInt8(ascii: "\\"):
        decoded += bytes[start..<position]
        position += 1
        decoded += String(try escape()).utf8
        start = position
      case 0..<0x20: throw .malformed
      default: position += 1
      }
    }
    throw .malformed
  }

  /// The escape after a backslash.
  private mutating func escape() throws(JSONValue.Failure) -> Unicode.Scalar {
    guard let byte = next else { throw .malformed }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try escapedScalar()
    default: throw .malformed
    }
  }

  /// `XXXX`, or both halves of a surrogate pair; an unpaired surrogate is invalid.
  private mutating func escapedScalar() throws(JSONValue.Failure) -> Unicode.Scalar {
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else { throw .malformed }
    let trail = try hexadecimal()
    guard UTF16.isTrailSurrogate(trail),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
    else { throw .malformed }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONValue.Failure) -> UInt16 {
    guard position + 4 <= bytes.count else { throw .malformed }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw .malformed }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }
}
