import Chat

/// People's text as far as it is shown: cut, and without what is no text. Markdown stays as it was written.
enum PlainText {
  /// The longest of each, in Unicode scalars.
  static let limits = (title: 250, summary: 280, body: 20_000, word: 120)

  /// One line: a title, a name. Nil where nothing is left.
  static func line(_ text: String?, limit: Int = limits.title) -> String? {
    guard let text else { return nil }
    let words = text.prefixOfScalars(8 * limit).split(whereSeparator: \.isWhitespace)
    return cut(clean(words.joined(separator: " ")), limit)
  }

  /// Several lines, of which no more than one in a row is empty. Nil where nothing is left.
  static func paragraphs(_ text: String?, limit: Int = limits.summary) -> String? {
    guard let text else { return nil }
    // Cut twice: what is long is mostly not looked at, and what is cleaned is shorter still.
    let lines = text.prefixOfScalars(8 * limit).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var kept: [String] = []
    for line in lines {
      var line = clean(String(line).replacing("\t", with: "  "))
      while line.last?.isWhitespace == true { line.removeLast() }
      if line.isEmpty, kept.last?.isEmpty ?? true { continue }
      kept.append(line)
    }
    if kept.last == "" { kept.removeLast() }
    return cut(kept.joined(separator: "\n"), limit)
  }

  /// Without controls, and without the marks that turn the direction of what follows.
  private static func clean(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: continue
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func cut(_ text: String, _ limit: Int) -> String? {
    if text.isEmpty { return nil }
    guard text.unicodeScalars.count > limit else { return text }
    return text.prefixOfScalars(limit - 1) + "…"
  }
}

extension String {
  /// The first so many Unicode scalars: a prefix of characters would have no bound in bytes.
  fileprivate func prefixOfScalars(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
