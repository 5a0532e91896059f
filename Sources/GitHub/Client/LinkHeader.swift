/// The `Link` field (RFC 8288 section 3), parsed leniently: GitHub's `first` may be a URI template with braces, which
/// must not make `next` unreadable.
struct LinkHeader {
  private var targets: [String: String] = [:]

  /// Parses the field's value; unreadable links are skipped.
  init(_ value: String) {
    var rest = Substring(value)
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let target = rest[rest.index(after: open)..<close]
      let parameters = Self.parameters(in: rest[rest.index(after: close)...])
      for relation in Self.relations(in: parameters) where targets[relation] == nil {
        targets[relation] = String(target)
      }
      rest = rest[parameters.endIndex...]
    }
  }

  /// The target of a relation as written, possibly a template; nil if the field does not have it.
  subscript(_ relation: String) -> String? { targets[relation] }

  /// Everything up to the comma that ends this link, ignoring commas in quotes.
  private static func parameters(in text: Substring) -> Substring {
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      if text[index] == "," && !isQuoted { return text[..<index] }
    }
    return text
  }

  private static func relations(in parameters: Substring) -> [String] {
    for parameter in parameters.split(separator: ";") {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
      guard parts.count == 2, parts[0].lowercased() == "rel", let raw = parameter.split(separator: "=").last else {
        continue
      }
      return raw.split { $0 == " " || $0 == "\t" || $0 == "\"" }.map { $0.lowercased() }
    }
    return []
  }
}
