import Base
import Chat

/// A URL-encoded form as sent to and returned by GitHub's OAuth pages (URL Standard section 5).
enum WebForm {
  /// Encodes the fields; a space becomes `%20`, which every parser accepts as well as `+`.
  static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
      .joined(separator: "&")
  }

  /// Decodes a form; the first of several equal names wins. Invalid percent-encoding is left as it is.
  static func decode(_ text: some StringProtocol) -> [String: String] {
    var fields: [String: String] = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: PercentEncoding.decodeForm(Array($0.utf8)[...]), as: UTF8.self) }
      if fields[pair[0]] == nil { fields[pair[0]] = pair.count > 1 ? pair[1] : "" }
    }
    return fields
  }
}
