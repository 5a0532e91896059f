import Chat

/// An object of GitHub's JSON, decoded leniently: a member that is missing, null or of an unexpected type is nil.
/// GitHub has removed members, and turned numbers into strings and back.
struct LenientObject {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// An element of a list; nil if it cannot be decoded.
  private struct Element<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }

  private let container: KeyedDecodingContainer<Key>

  /// Reads an object from `decoder`. Throws `DecodingError` if it is not an object.
  init(_ decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: Key.self)
  }

  /// The member decoded as `type`, or nil.
  func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
    (try? container.decodeIfPresent(type, forKey: Key(stringValue: name))) ?? nil
  }

  /// A non-empty string.
  func text(_ name: String) -> String? { value(name, as: String.self).flatMap { $0.isEmpty ? nil : $0 } }

  /// An integer, or a string that contains one.
  func integer(_ name: String) -> Int64? { value(name, as: Int64.self) ?? text(name).flatMap { Int64($0) } }

  /// A count, never negative.
  func count(_ name: String) -> Int { Int(max(0, integer(name) ?? 0)) }

  /// A Boolean.
  func flag(_ name: String) -> Bool? { value(name, as: Bool.self) }

  /// A time: RFC 3339, or seconds since the epoch as in push webhooks.
  func time(_ name: String) -> Timestamp? {
    if let text = text(name) { return Timestamp(text) }
    return value(name, as: Int64.self).flatMap { (0..<1 << 40).contains($0) ? Timestamp(milliseconds: $0 * 1000) : nil }
  }

  /// A list without the elements that cannot be decoded.
  func list<Value: Decodable>(_ name: String, of type: Value.Type = Value.self) -> [Value] {
    value(name, as: [Element<Value>].self)?.compactMap(\.value) ?? []
  }

  /// A required id: a string verbatim, a number as a string. Throws `DecodingError`.
  func id(_ name: String) throws -> String {
    if let text = text(name) { return text }
    return String(try container.decode(Int64.self, forKey: Key(stringValue: name)))
  }

  /// A required member. Throws `DecodingError`.
  func required<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    try container.decode(type, forKey: Key(stringValue: name))
  }
}

/// A top-level list without the elements that cannot be decoded.
struct LenientList<Value: Decodable & Sendable>: Decodable, Sendable {
  private struct Element: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }

  let values: [Value]

  init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([Element].self).compactMap(\.value)
  }
}
