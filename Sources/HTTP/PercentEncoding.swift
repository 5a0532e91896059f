/// Percent-encoding (RFC 3986 section 2.1).
public enum PercentEncoding {
  /// The bytes with each escape replaced once, or nil when a `%` is not followed by two hexadecimal digits.
  public static func decode(_ encoded: some Collection<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var iterator = encoded.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(Characters.hexadecimal),
        let low = iterator.next().flatMap(Characters.hexadecimal)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  /// The string with each escape replaced once, or nil when an escape is malformed or the result is not UTF-8.
  public static func decode(_ encoded: String) -> String? {
    decode(encoded.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The string with all but unreserved characters escaped (RFC 3986 section 2.3): fit for a path segment or a
  /// query's name or value.
  public static func encode(_ text: String) -> String {
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
  static func decodeForm(_ encoded: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var index = encoded.startIndex
    while index < encoded.endIndex {
      let byte = encoded[index]
      if byte == UInt8(ascii: "%"), index + 2 < encoded.endIndex,
        let high = Characters.hexadecimal(encoded[index + 1]), let low = Characters.hexadecimal(encoded[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? Characters.space : byte)
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

extension PercentEncoding {
  /// Decodes what the parser has already found well-formed; a malformed escape would stay as it is.
  static func decodeVerified(_ encoded: ArraySlice<UInt8>) -> [UInt8] {
    decode(encoded) ?? Array(encoded)
  }
}
