import Chat

/// A form as it is sent and as GitHub's OAuth pages answer: names and values, percent-encoded (URL Standard, section 5).
enum WebForm {
  /// The form's text; a space is `%20`, which every reader takes as well as `+`.
  static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { PercentEncoding.pathSegment($0.name) + "=" + PercentEncoding.pathSegment($0.value) }
      .joined(separator: "&")
  }

  /// What a form holds; of equal names the first. What cannot be decoded stands for itself.
  static func decode(_ text: some StringProtocol) -> [String: String] {
    var fields: [String: String] = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { plain($0.utf8) }
      if fields[pair[0]] == nil { fields[pair[0]] = pair.count > 1 ? pair[1] : "" }
    }
    return fields
  }

  private static func plain(_ encoded: some Sequence<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = Array(encoded)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
