/// A Markdown text that is to be repeated, and what must stand between it and its repetition.
struct Repetition {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The text with what separates it from a second one; nil if the two would be drawn as one: a blank line ends neither a
  /// list nor indented code nor an HTML block (CommonMark 0.31.2, sections 4.4, 4.6, 5.3).
  var beforeItself: String? {
    if isPlain { return text + " " }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let fence = lines.reduce(Fence?.none) { Fence(after: $1, in: $0) }
    let hasFence = lines.contains { Fence(after: $0, in: nil) != nil }
    guard let first = lines.first(where: { !$0.allSatisfy(\.isWhitespace) }), !Self.isList(first),
      !Self.isIndented(first), !lines.contains(where: { $0.drop(while: \.isWhitespace).first == "<" }),
      // A fence within a list may end with its item.
      !hasFence || !lines.contains(where: Self.isList)
    else { return nil }
    return text + (fence.map { "\n" + $0.closing } ?? "") + "\n\n"
  }

  /// Whether it is one line without marks, which needs no line of its own.
  private var isPlain: Bool {
    guard let start = text.first, !text.contains("\n") else { return false }
    return (start.isLetter || start.isNumber || start == "@") && !Self.isList(text[...])
      && !text.contains { "`*_~[]<>|\\$".contains($0) }
  }

  private static func isList(_ line: Substring) -> Bool {
    let line = line.drop { $0 == " " }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(digits.count)
    let isMarker = rest.first.map { (digits.isEmpty ? "-+*" : ".)").contains($0) } ?? false
    return isMarker && (rest.dropFirst().first?.isWhitespace ?? true)
  }

  private static func isIndented(_ line: Substring) -> Bool {
    line.prefix { $0 == " " || $0 == "\t" }.contains("\t") || line.hasPrefix("    ")
  }
}

/// A code fence that is open (CommonMark 0.31.2, section 4.5).
private struct Fence {
  /// The line that closes it.
  let closing: String

  /// The fence that is open after `line`; nil if none is.
  init?(after line: Substring, in open: Fence?) {
    let indentation = line.prefix { $0 == " " }.count
    let rest = line.dropFirst(indentation)
    let run = rest.prefix { $0 == rest.first }
    let isFence = indentation < 4 && run.count >= 3 && (run.first == "`" || run.first == "~")
    let after = rest.dropFirst(run.count)
    if let open {
      let closes =
        isFence && run.first == open.closing.first && run.count >= open.closing.count
        && after.allSatisfy(\.isWhitespace)
      guard !closes else { return nil }
      self = open
    } else {
      guard isFence, run.first == "~" || !after.contains("`") else { return nil }
      closing = String(run)
    }
  }
}
