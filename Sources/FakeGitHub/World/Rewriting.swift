import Glibc

/// Turns recorded JSON into what the stand-in tells: other names, numbers and addresses, the same members.
struct Rewriting {
  /// Texts and what stands for them, in this order, wherever they occur in strings.
  var texts: [(old: String, new: String)] = []
  /// Members by name, at any depth, and what they become.
  var members: [String: JSONValue] = [:]
  /// What an account becomes; nil leaves it as it is.
  var account: (Person) -> JSONValue? = { _ in nil }

  /// The value with everything put in.
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
        // What was null stays so: a merge that did not happen has no time.
        if member != .null, let replaced = members[name] { new[name] = replaced } else { new[name] = self(member) }
      }
      return .object(new)
    default: return value
    }
  }

  private func text(_ string: String) -> String {
    texts.reduce(string) { Self.replace($1.old, with: $1.new, in: $0) }
  }

  /// By C's search in bytes: a page of events has thousands of addresses to look through.
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
  /// The object with some members set.
  func setting(_ members: [String: JSONValue]) -> JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(object.merging(members) { _, new in new })
  }

  /// The object with those members only that are named.
  func keeping(_ names: [String]) -> JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(object.filter { names.contains($0.key) })
  }

  /// A text, or null.
  init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}
