import Chat
import Crypto

/// Session secrets of 256 random bits. The store keeps only their SHA-256.
///
/// A plain hash suffices: unlike a password, such a secret cannot be guessed.
package struct SHA256Secrets: SecretSource {
  /// Uses the system's random source.
  package init() {}

  /// 64 hexadecimal digits.
  package func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return Hexadecimal.text((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  /// The secret's SHA-256, 32 bytes.
  package func hash(_ secret: String) -> [UInt8] {
    Array(SHA256.hash(data: Array(secret.utf8)))
  }
}

/// Converts bytes to lower-case hexadecimal digits and back.
enum Hexadecimal {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits: StaticString = "0123456789abcdef"
    return digits.withUTF8Buffer { digits in
      String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }

  /// Parses `text`; nil unless it consists of pairs of digits.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.map { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
