/// The cookies of a request (RFC 6265 section 4.2), read from the head's bytes when asked for.
package struct Cookies: Sendable {
  private let head: RequestHead

  package init(_ head: RequestHead) {
    self.head = head
  }

  /// The first cookie of that name, without surrounding quotes; nil if there is none. Names are case-sensitive. Clients
  /// send the most specific path first (section 5.4).
  package subscript(name: String) -> String? {
    var start = 0
    while let index = head.line(.cookie, from: start) {
      if let value = Cookies.value(of: name, in: head.bytes[head.lines[index].value.range]) {
        return value
      }
      start = index + 1
    }
    return nil
  }

  /// The names with this prefix, in order.
  package func names(beginningWith prefix: String) -> [String] {
    var names: [String] = []
    var start = 0
    while let index = head.line(.cookie, from: start) {
      for pair in head.bytes[head.lines[index].value.range].split(separator: UInt8(ascii: ";")) {
        let pair = pair.drop(while: Characters.isWhitespace)
        guard pair.starts(with: prefix.utf8), let end = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
        names.append(String(decoding: pair[..<end], as: UTF8.self))
      }
      start = index + 1
    }
    return names
  }

  private static func value(of name: String, in line: ArraySlice<UInt8>) -> String? {
    var rest = line
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      let pair = rest[..<end].drop(while: Characters.isWhitespace)
      rest = rest[end...].dropFirst()
      guard pair.starts(with: name.utf8) else { continue }
      var value = pair.dropFirst(name.utf8.count)
      guard value.popFirst() == UInt8(ascii: "=") else { continue }
      while let last = value.last, Characters.isWhitespace(last) { value.removeLast() }
      if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
        value = value.dropFirst().dropLast()
      }
      return String(decoding: value, as: UTF8.self)
    }
    return nil
  }
}
