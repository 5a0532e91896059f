import FoundationEssentials

/// Base64 with the URL alphabet and without padding (RFC 4648 section 5), as Web Push encodes bytes.
enum Base64URL {
  /// Encodes bytes.
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

  /// Decodes a text, padded or not; nil if it is invalid.
  static func decode(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return nil }
    var plain = text.replacing("-", with: "+").replacing("_", with: "/")
    while plain.hasSuffix("=") { plain.removeLast() }
    plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain).map(Array.init)
  }
}
