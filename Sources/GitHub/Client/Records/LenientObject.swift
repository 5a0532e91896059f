import Chat

/// An object of GitHub's JSON, read leniently: what is missing, null or of another kind is nil. GitHub has cut members
/// off, turned numbers into strings and the other way round, and does so again.
struct LenientObject {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// An element of a list that may not be what it should.
  private struct Element<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }

  private let container: KeyedDecodingContainer<Key>

  /// The object that `decoder` reads. Throws `DecodingError` where it is none.
  init(_ decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: Key.self)
  }

  /// The member as whatever type is wanted.
  func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
    (try? container.decodeIfPresent(type, forKey: Key(stringValue: name))) ?? nil
  }

  /// A text; an empty one is as good as none.
  func text(_ name: String) -> String? { value(name, as: String.self).flatMap { $0.isEmpty ? nil : $0 } }

  /// A whole number, also one that is written as a text.
  func integer(_ name: String) -> Int64? { value(name, as: Int64.self) ?? text(name).flatMap { Int64($0) } }

  /// A count, never below zero.
  func count(_ name: String) -> Int { Int(max(0, integer(name) ?? 0)) }

  /// A flag.
  func flag(_ name: String) -> Bool? { value(name, as: Bool.self) }

  /// A moment: RFC 3339, or seconds since the epoch as in pushes of webhooks.
  func time(_ name: String) -> Timestamp? {
    if let text = text(name) { return Timestamp(text) }
    return value(name, as: Int64.self).flatMap { (0..<1 << 40).contains($0) ? Timestamp(milliseconds: $0 * 1000) : nil }
  }

  /// A list without the elements that cannot be read.
  func list<Value: Decodable>(_ name: String, of type: Value.Type = Value.self) -> [Value] {
    value(name, as: [Element<Value>].self)?.compactMap(\.value) ?? []
  }

  /// An id that must be there: a text as it is, a number as text. Throws `DecodingError`.
  func id(_ name: String) throws -> String {
    if let text = text(name) { return text }
    return String(try container.decode(Int64.self, forKey: Key(stringValue: name)))
  }

  /// A member that must be there. Throws `DecodingError`.
  func required<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    try container.decode(type, forKey: Key(stringValue: name))
  }
}

/// A list at the top of an answer, without the elements that cannot be read.
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
