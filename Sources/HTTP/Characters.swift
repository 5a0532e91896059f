/// Character classes of RFC 9110 section 5.6.2 and RFC 9112, as bit masks: cheaper than a global table.
enum Characters {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let delete: UInt8 = 0x7F

  /// tchar: letters, digits, and ``!#$%&'*+-.^_`|~``.
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    // Bits 0x00–0x3F: ! # $ % & ' * + - . 0–9; bits 0x40–0x7F: A–Z ^ _ ` a–z | ~
    let mask: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return byte < 128 && (mask &>> UInt64(byte & 63)) & 1 == 1
  }

  /// field-content: HTAB, SP, VCHAR, obs-text (RFC 9110 section 5.5).
  @inline(__always)
  static func isFieldValue(_ byte: UInt8) -> Bool {
    (byte >= space && byte != delete) || byte == tab
  }

  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10
  }

  /// Lower case for ASCII letters, anything else unchanged.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
