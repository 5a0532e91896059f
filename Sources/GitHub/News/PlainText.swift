import Chat

/// Cuts and cleans user input for display. Markdown is left as written.
enum PlainText {
  /// The maximum length of each kind of text, in Unicode scalars.
  static let limits = (title: 250, summary: 280, body: 20_000, comment: 8_000, codeLine: 500, word: 120)

  /// A single line, such as a title or a name; nil if nothing is left.
  static func line(_ text: String?, limit: Int = limits.title) -> String? {
    guard let text else { return nil }
    let words = text.prefixOfScalars(8 * limit).split(whereSeparator: \.isWhitespace)
    return cut(clean(words.joined(separator: " ")), limit)
  }

  /// Several lines, with runs of empty lines reduced to one; nil if nothing is left.
  static func paragraphs(_ text: String?, limit: Int = limits.summary) -> String? {
    guard let text else { return nil }
    // Cut before cleaning too, so that most of a long text is never processed.
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

  /// Lines of code, with their indentation.
  static func code(_ lines: some Sequence<Substring>) -> String {
    lines.map { line in
      let parts = String(line).prefixOfScalars(limits.codeLine).split(separator: "\t", omittingEmptySubsequences: false)
      return parts.map { clean(String($0)) }.joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Removes control characters and bidirectional formatting characters.
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
  /// The first `count` Unicode scalars. A prefix of characters would have no limit in bytes.
  fileprivate func prefixOfScalars(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
