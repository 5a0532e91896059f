/// The fields of a message that is to be sent, in order, names possibly repeated (RFC 9110 section 5.3).
///
/// A value can never end its line: control characters, CR and LF among them, become spaces when they are stored
/// (RFC 9110 section 5.5), so that no input can add a field or split a response.
public struct Fields: Sendable, Hashable, ExpressibleByDictionaryLiteral, Sequence {
  /// One field line.
  public struct Line: Sendable, Hashable {
    /// The name in lower case.
    public let name: FieldName
    /// The value, free of control characters.
    public let value: String
  }

  private var lines: [Line] = []

  /// No fields.
  public init() {}

  /// Fields in the order of the literal; a name may stand more than once.
  public init(dictionaryLiteral elements: (FieldName, String)...) {
    lines.reserveCapacity(elements.count)
    for (name, value) in elements { add(name, value) }
  }

  /// Adds a line after the others.
  public mutating func add(_ name: FieldName, _ value: String) {
    lines.append(Line(name: name, value: Fields.singleLine(value)))
  }

  /// Replaces all lines of that name by one, which keeps the first one's place.
  public mutating func set(_ name: FieldName, _ value: String) {
    guard let first = lines.firstIndex(where: { $0.name == name }) else { return add(name, value) }
    lines[first] = Line(name: name, value: Fields.singleLine(value))
    var index = lines.count - 1
    while index > first {
      if lines[index].name == name { lines.remove(at: index) }
      index -= 1
    }
  }

  /// Removes all lines of that name.
  public mutating func remove(_ name: FieldName) {
    lines.removeAll { $0.name == name }
  }

  /// The first line's value. Setting replaces all lines of the name; setting nil removes them.
  public subscript(name: FieldName) -> String? {
    get { lines.first { $0.name == name }?.value }
    set {
      if let newValue { set(name, newValue) } else { remove(name) }
    }
  }

  /// All values of that name in order.
  public func all(_ name: FieldName) -> [String] {
    lines.compactMap { $0.name == name ? $0.value : nil }
  }

  /// Whether a line of that name is there.
  public func contains(_ name: FieldName) -> Bool {
    lines.contains { $0.name == name }
  }

  /// Says that the answer depends on the request's field `name`, beside what Vary says already (RFC 9110 section
  /// 12.5.5).
  public mutating func addVary(_ name: FieldName) {
    let present = all(.vary).joined(separator: ", ")
    if present.isEmpty { return set(.vary, name.canonical) }
    let members = present.split(separator: ",").map { String($0.filter { $0 != " " && $0 != "\t" }).lowercased() }
    if !members.contains("*"), !members.contains(name.canonical) { set(.vary, "\(present), \(name.canonical)") }
  }

  /// The number of lines.
  public var count: Int { lines.count }
  /// Whether there is no line.
  public var isEmpty: Bool { lines.isEmpty }

  /// The lines in order.
  public func makeIterator() -> IndexingIterator<[Line]> {
    lines.makeIterator()
  }

  private static func singleLine(_ value: String) -> String {
    var value = value
    // In the string's own storage this is several times as fast as by its iterator.
    let isClean = value.withUTF8 { $0.allSatisfy(Characters.isFieldValue) }
    if isClean { return value }
    return String(decoding: value.utf8.map { Characters.isFieldValue($0) ? $0 : Characters.space }, as: UTF8.self)
  }
}
