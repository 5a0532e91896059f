/// The fields of an outgoing message, in order; names may repeat (RFC 9110 section 5.3).
///
/// Control characters in values, including CR and LF, are replaced by spaces (RFC 9110 section 5.5), so that no input
/// can add a field or split a response.
package struct Fields: Sendable, Hashable, ExpressibleByDictionaryLiteral, Sequence {
  /// One field line.
  package struct Line: Sendable, Hashable {
    /// The name in lower case.
    package let name: FieldName
    /// The value, free of control characters.
    package let value: String
  }

  private var lines: [Line] = []

  package init() {}

  /// Fields in the order of the literal; names may repeat.
  package init(dictionaryLiteral elements: (FieldName, String)...) {
    lines.reserveCapacity(elements.count)
    for (name, value) in elements { add(name, value) }
  }

  /// Appends a line.
  package mutating func add(_ name: FieldName, _ value: String) {
    lines.append(Line(name: name, value: Fields.singleLine(value)))
  }

  /// Replaces all lines of that name with one, at the position of the first.
  package mutating func set(_ name: FieldName, _ value: String) {
    guard let first = lines.firstIndex(where: { $0.name == name }) else { return add(name, value) }
    lines[first] = Line(name: name, value: Fields.singleLine(value))
    var index = lines.count - 1
    while index > first {
      if lines[index].name == name { lines.remove(at: index) }
      index -= 1
    }
  }

  /// Removes all lines of that name.
  package mutating func remove(_ name: FieldName) {
    lines.removeAll { $0.name == name }
  }

  /// The first line's value. Setting replaces all lines of the name; setting nil removes them.
  package subscript(name: FieldName) -> String? {
    get { lines.first { $0.name == name }?.value }
    set {
      if let newValue { set(name, newValue) } else { remove(name) }
    }
  }

  /// All values of that name in order.
  package func all(_ name: FieldName) -> [String] {
    lines.compactMap { $0.name == name ? $0.value : nil }
  }

  package func contains(_ name: FieldName) -> Bool {
    // Most names differ in length, which is faster to compare than text.
    let length = name.canonical.utf8.count
    return lines.contains { $0.name.canonical.utf8.count == length && $0.name == name }
  }

  /// Adds `name` to Vary (RFC 9110 section 12.5.5).
  package mutating func addVary(_ name: FieldName) {
    if lists("*", in: .vary) || lists(name.canonical, in: .vary) { return }
    set(.vary, (all(.vary) + [name.canonical]).joined(separator: ", "))
  }

  /// Whether the comma-separated lists in the lines of that name contain `member`, which is in lower case, ignoring
  /// case.
  package func lists(_ member: String, in name: FieldName) -> Bool {
    lines.contains { line in
      line.name == name
        && line.value.utf8.split(separator: UInt8(ascii: ",")).contains { found in
          var found = found.drop(while: Characters.isWhitespace)
          while found.last.map(Characters.isWhitespace) == true { found.removeLast() }
          return found.elementsEqual(member.utf8) { Characters.lowercased($0) == $1 }
        }
    }
  }

  /// The number of lines.
  package var count: Int { lines.count }
  package var isEmpty: Bool { lines.isEmpty }

  /// The lines in order.
  package func makeIterator() -> IndexingIterator<[Line]> {
    lines.makeIterator()
  }

  private static func singleLine(_ value: String) -> String {
    var value = value
    // Accessing the string's own storage is several times faster than iterating over it.
    let isClean = value.withUTF8 { $0.allSatisfy(Characters.isFieldValue) }
    if isClean { return value }
    return String(decoding: value.utf8.map { Characters.isFieldValue($0) ? $0 : Characters.space }, as: UTF8.self)
  }
}

/// The fields that every response of a server has unless it sets them itself; encoded once.
package struct DefaultFields: Sendable {
  /// An encoded field line.
  struct Line: Sendable {
    let name: FieldName
    let bytes: [UInt8]
  }

  let lines: [Line]
  /// The length of all lines in bytes.
  let count: Int

  /// The lines of `fields`.
  package init(_ fields: Fields = Fields()) {
    lines = fields.map { line in
      var bytes: [UInt8] = []
      bytes.append(line)
      return Line(name: line.name, bytes: bytes)
    }
    count = lines.reduce(0) { $0 + $1.bytes.count }
  }
}
