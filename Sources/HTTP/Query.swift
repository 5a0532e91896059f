import Base

/// The query of a request target, or a form's body: `name=value` pairs joined by `&`, decoded on access (URL Standard,
/// section 5.1: `+` is a space; an invalid escape stands for itself).
package struct Query: Sendable {
  private let bytes: ArraySlice<UInt8>

  /// A query in its encoded form, without the question mark.
  package init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// A query in its encoded form, without the question mark.
  package init(_ raw: String) {
    bytes = Array(raw.utf8)[...]
  }

  /// The encoded form.
  package var raw: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the query is empty or missing.
  package var isEmpty: Bool { bytes.isEmpty }

  /// The first value of that name, decoded; empty for a name without `=`; nil if it is missing.
  package subscript(name: String) -> String? {
    for pair in pairs where Query.matches(pair.name, name) { return Query.decoded(pair.value) }
    return nil
  }

  /// All values of that name in order, decoded.
  package func all(_ name: String) -> [String] {
    pairs.compactMap { Query.matches($0.name, name) ? Query.decoded($0.value) : nil }
  }

  /// All pairs in order, decoded.
  package var items: [(name: String, value: String)] {
    pairs.map { (Query.decoded($0.name), Query.decoded($0.value)) }
  }

  private var pairs: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    bytes.split(separator: UInt8(ascii: "&")).map { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, pair[pair.endIndex...]) }
      return (pair[..<equals], pair[(equals + 1)...])
    }
  }

  private static func matches(_ encoded: ArraySlice<UInt8>, _ name: String) -> Bool {
    encoded.elementsEqual(name.utf8) || decoded(encoded) == name
  }

  private static func decoded(_ encoded: ArraySlice<UInt8>) -> String {
    String(decoding: PercentEncoding.decodeForm(encoded), as: UTF8.self)
  }
}
