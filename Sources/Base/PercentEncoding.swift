/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// The bytes with each escape replaced once, or nil when a `%` is not followed by two hexadecimal digits.
  package static func decode(_ encoded: some Collection<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var iterator = encoded.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = iterator.next()?.hexadecimalValue,
        let low = iterator.next()?.hexadecimalValue
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  /// The string with each escape replaced once, or nil when an escape is malformed or the result is not UTF-8.
  package static func decode(_ encoded: String) -> String? {
    decode(encoded.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The string with all but unreserved characters escaped (RFC 3986 section 2.3): fit for a path segment or a
  /// query's name or value.
  package static func encode(_ text: String) -> String {
    if text.utf8.allSatisfy(isUnreserved) { return text }
    let digits: StaticString = "0123456789ABCDEF"
    return digits.withUTF8Buffer { digits in
      var encoded: [UInt8] = []
      encoded.reserveCapacity(text.utf8.count)
      for byte in text.utf8 {
        if isUnreserved(byte) {
          encoded.append(byte)
        } else {
          encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
      return String(decoding: encoded, as: UTF8.self)
    }
  }

  /// A form's decoding (URL Standard, section 5.1): `+` is a space, a malformed escape stands for itself.
  package static func decodeForm(_ encoded: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var index = encoded.startIndex
    while index < encoded.endIndex {
      let byte = encoded[index]
      if byte == UInt8(ascii: "%"), index + 2 < encoded.endIndex,
        let high = encoded[index + 1].hexadecimalValue, let low = encoded[index + 2].hexadecimalValue
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return decoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in ASCII, or nil.
  @inlinable
  package var hexadecimalValue: UInt8? {
    let digit = self &- 0x30
    if digit < 10 { return digit }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }
}
