import Glibc

/// Adapts recorded JSON to the stand-in: other names, numbers and URLs, the same members.
struct Rewriting {
  /// Replacements applied in this order wherever they occur in strings.
  var texts: [(old: String, new: String)] = []
  /// Replacement values of members by name, at any depth.
  var members: [String: JSONValue] = [:]
  /// The replacement of an account; nil leaves it as it is.
  var account: (Person) -> JSONValue? = { _ in nil }

  /// The value with all replacements applied.
  func callAsFunction(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let string): return .string(text(string))
    case .array(let array): return .array(array.map(callAsFunction))
    case .object(let object):
      if object["login"] != nil, object["avatar_url"] != nil, let person = Person(value), let new = account(person) {
        return new
      }
      var new: [String: JSONValue] = [:]
      for (name, member) in object {
        // Null stays null: an unmerged pull request has no merge time.
        if member != .null, let replaced = members[name] { new[name] = replaced } else { new[name] = self(member) }
      }
      return .object(new)
    default: return value
    }
  }

  private func text(_ string: String) -> String {
    texts.reduce(string) { Self.replace($1.old, with: $1.new, in: $0) }
  }

  /// Uses C's byte search: a page of events contains thousands of URLs.
  private static func replace(_ old: String, with new: String, in string: String) -> String {
    guard !old.isEmpty, string.utf8.count >= old.utf8.count else { return string }
    return string.withCString { start -> String? in
      guard var hit = strstr(start, old) else { return nil }
      var from = start
      var result = ""
      while true {
        let passed = UnsafeRawBufferPointer(start: from, count: UnsafePointer(hit) - from)
        result += String(decoding: passed, as: UTF8.self) + new
        from = UnsafePointer(hit) + old.utf8.count
        guard let next = strstr(from, old) else { return result + String(cString: from) }
        hit = next
      }
    } ?? string
  }
}

extension JSONValue {
  /// The object with some members replaced or added.
  func setting(_ members: [String: JSONValue]) -> JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(object.merging(members) { _, new in new })
  }

  /// The object with only the named members.
  func keeping(_ names: [String]) -> JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(object.filter { names.contains($0.key) })
  }

  /// A string, or null.
  init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}
