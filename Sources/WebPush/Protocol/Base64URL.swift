import FoundationEssentials

/// Base64 with the alphabet for addresses and without padding (RFC 4648 section 5): how Web Push writes bytes.
enum Base64URL {
  /// The text of some bytes.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// The bytes that a text writes, padded or not, or nil.
  static func decode(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return nil }
    var plain = text.replacing("-", with: "+").replacing("_", with: "/")
    while plain.hasSuffix("=") { plain.removeLast() }
    plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain).map(Array.init)
  }
}
