import Base

/// The syntax of request targets and authorities (RFC 9112 section 3.2, RFC 3986).
enum TargetSyntax {
  typealias Buffer = UnsafeBufferPointer<UInt8>

  /// Bytes of a target that need no further checks: RFC 3986's set and those that the URL Standard lets browsers send
  /// unescaped, ``[ ] ^ ` { | }``. Excludes controls, space, `"`, `#`, `<`, `>`, bytes from 0x7F on, and the four that
  /// the parser interprets: `%`, `.`, `?`, `\`.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    // Bits 0x00–0x3F without 0x00–0x20 " # % . < > ?; bits 0x40–0x7F without \ and DEL.
    let mask: UInt64 = byte < 64 ? 0x2FFF_BFD2_0000_0000 : 0x7FFF_FFFF_EFFF_FFFF
    return byte < 128 && (mask &>> UInt64(byte & 63)) & 1 == 1
  }

  /// uri-host [":" port] with a non-empty host (RFC 9110 sections 7.2 and 4.2.1). Refuses user information (section
  /// 4.2.4).
  static func isAuthority(_ bytes: Buffer, _ range: Range<Int>) -> Bool {
    guard let first = range.first else { return false }
    var index = first
    if bytes[first] == UInt8(ascii: "[") {
      // IP-literal (RFC 3986 section 3.2.2); only its characters are checked.
      index += 1
      while index < range.upperBound, isRegisteredName(bytes[index]) || bytes[index] == UInt8(ascii: ":") { index += 1 }
      guard index < range.upperBound, index > first + 1, bytes[index] == UInt8(ascii: "]") else { return false }
      index += 1
    } else {
      while index < range.upperBound, bytes[index] != UInt8(ascii: ":") {
        if bytes[index] == UInt8(ascii: "%") {
          guard index + 2 < range.upperBound, bytes[index + 1].hexadecimalValue != nil,
            bytes[index + 2].hexadecimalValue != nil
          else { return false }
        } else if !isRegisteredName(bytes[index]) {
          return false
        }
        index += 1
      }
      guard index > first else { return false }
    }
    guard index < range.upperBound else { return true }
    return bytes[index] == UInt8(ascii: ":") && bytes[(index + 1)..<range.upperBound].allSatisfy(Characters.isDigit)
  }

  /// unreserved and sub-delims (RFC 3986 sections 2.2 and 2.3).
  private static func isRegisteredName(_ byte: UInt8) -> Bool {
    // ! $ & ' ( ) * + , - . 0–9 ; = and A–Z _ a–z ~
    let mask: UInt64 = byte < 64 ? 0x2BFF_7FD2_0000_0000 : 0x47FF_FFFE_87FF_FFFE
    return byte < 128 && (mask &>> UInt64(byte & 63)) & 1 == 1
  }

  /// Refuses paths that, decoded once, contain malformed escapes, invalid UTF-8, control characters or dot segments
  /// (RFC 9112 section 3.2, RFC 3986 sections 2.1 and 6.2.2.3).
  static func checkPath(_ bytes: Buffer, _ range: Range<Int>) throws(ProtocolError) {
    guard let path = PercentEncoding.decode(bytes[range]) else {
      throw ProtocolError(.badRequest, "malformed percent-encoding")
    }
    guard path.allSatisfy({ $0 >= Characters.space && $0 != Characters.delete }) else {
      throw ProtocolError(.badRequest, "control character in the path")
    }
    guard String(validating: path, as: UTF8.self) != nil else {
      throw ProtocolError(.badRequest, "the path is not UTF-8")
    }
    // "\" counts as a separator too, so that no file system or library sees dot segments that were missed here.
    for segment in path.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
    where segment.count <= 2 && segment.allSatisfy({ $0 == UInt8(ascii: ".") }) {
      throw ProtocolError(.badRequest, "dot segment in the path")
    }
  }
}
