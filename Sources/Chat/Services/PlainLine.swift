/// A message's text as one plain line, for pushes and search results: Markdown without its marks.
///
/// It knows the marks, not the whole grammar, and takes time in the length of the text. The browser makes its lines in
/// `Public/js/models/format.js`; `Tests/Fixtures/plain-lines.json` holds both to the same lines. Shortcodes (`:tada:`)
/// stay as they are, since neither has the table of emoji at hand. So do the numbers of lists, which readers see:
/// `14. March`.
package enum PlainLine {
  /// How much of a text is read, in Unicode scalars: all of a message.
  package static let longestSource = MessageRules.longestText

  /// The line; never longer than the text. A text of nothing but marks stays as it is, on one line.
  package static func of(_ text: String) -> String {
    let source = Array(text.unicodeScalars.prefix(longestSource))
    var blocks = PlainBlocks()
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) { blocks.read(line) }
    blocks.close()
    let line = onOneLine(blocks.text)
    return line.isEmpty ? onOneLine(source) : line
  }

  /// Runs of white space become one space, those at the ends none.
  private static func onOneLine(_ scalars: [Unicode.Scalar]) -> String {
    var line = String.UnicodeScalarView()
    var hasSpace = false
    for scalar in scalars {
      if scalar.isBlank {
        hasSpace = true
        continue
      }
      if hasSpace, !line.isEmpty { line.append(" ") }
      hasSpace = false
      line.append(scalar)
    }
    return String(line)
  }
}

/// Takes lines, and strips what makes them paragraphs, headings, items, quotes, rows and code.
private struct PlainBlocks {
  private static let alerts = ["[!note]", "[!tip]", "[!important]", "[!warning]", "[!caution]"]

  /// What stands before a line's text.
  private struct Lead {
    var end: Int
    var isQuote = false
    var isItem = false
    var isHeading = false
  }

  /// What the closed blocks say, with white space between them.
  private(set) var text: [Unicode.Scalar] = []
  private var paragraph: [Unicode.Scalar] = []
  private var lastLine = 0
  private var fence: (mark: Unicode.Scalar, length: Int)?
  private var isTable = false

  mutating func read(_ line: ArraySlice<Unicode.Scalar>) {
    let lead = PlainBlocks.lead(of: line)
    let rest = line[lead.end...]
    let mark = PlainBlocks.fence(rest)
    if let fence {
      if let mark, mark.mark == fence.mark, mark.length >= fence.length,
        rest.dropFirst(mark.length).allSatisfy(\.isBlank)
      {
        self.fence = nil
      } else {
        text += line.drop { $0.isBlank || $0 == ">" }
        text.append(" ")
      }
      return
    }
    fence = mark
    let begins = rest.isEmpty || lead.isItem || lead.isHeading
    let isUnderline = !paragraph.isEmpty && PlainBlocks.isUnderline(rest)
    if begins { isTable = false }
    if isUnderline, rest.contains(where: { $0 == "|" || $0 == ":" }) {
      isTable = true
      paragraph.replaceSubrange(lastLine..., with: PlainBlocks.cells(paragraph[lastLine...]))
    }
    if begins || isTable || isUnderline || mark != nil { close() }
    if rest.isEmpty || isUnderline || mark != nil || PlainBlocks.isRule(rest) { return }
    if lead.isQuote, PlainBlocks.isAlert(rest) { return }
    lastLine = paragraph.count
    paragraph.append("\n")
    paragraph += isTable ? PlainBlocks.cells(rest) : Array(rest)
    guard lead.isHeading else { return }
    paragraph.removeLast(PlainBlocks.closingHashes(paragraph))
    close()
  }

  /// Ends the open paragraph.
  mutating func close() {
    guard !paragraph.isEmpty else { return }
    var inlines = PlainInlines(text: paragraph)
    text += inlines.read()
    text.append(" ")
    paragraph.removeAll(keepingCapacity: true)
  }

  /// Quotes, bullets with their task boxes, and a heading's mark.
  private static func lead(of line: ArraySlice<Unicode.Scalar>) -> Lead {
    var lead = Lead(end: line.startIndex)
    func isGap(_ index: Int) -> Bool { index == line.endIndex || line[index].isBlank }
    while lead.end < line.endIndex {
      let scalar = line[lead.end]
      if scalar.isBlank {
        lead.end += 1
      } else if scalar == ">" {
        lead.isQuote = true
        lead.end += 1
      } else if scalar == "-" || scalar == "+" || scalar == "*", isGap(lead.end + 1) {
        lead.isItem = true
        lead.end += 1
        let box = line[lead.end...].drop(while: \.isBlank).prefix(4)
        guard box.count == 4, let last = box.last, last.isBlank else { continue }
        if ["[ ]", "[x]", "[X]"].contains(where: { $0.unicodeScalars.elementsEqual(box.dropLast()) }) {
          lead.end = box.endIndex - 1
        }
      } else {
        break
      }
    }
    let hashes = line[lead.end...].prefix { $0 == "#" }
    if (1...6).contains(hashes.count), isGap(hashes.endIndex) {
      lead.isHeading = true
      lead.end = hashes.endIndex
    }
    while lead.end < line.endIndex, line[lead.end].isBlank { lead.end += 1 }
    return lead
  }

  private static func fence(_ line: ArraySlice<Unicode.Scalar>) -> (mark: Unicode.Scalar, length: Int)? {
    guard let mark = line.first, mark == "`" || mark == "~" else { return nil }
    let length = line.prefix { $0 == mark }.count
    return length >= 3 && !line.dropFirst(length).contains("`") ? (mark, length) : nil
  }

  /// What makes the paragraph above a heading, or its last line a table's head.
  private static func isUnderline(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
    if line.first == "=" { return line.allSatisfy { $0 == "=" } }
    return line.contains("-") && line.allSatisfy { $0 == "-" || $0 == "|" || $0 == ":" || $0.isBlank }
  }

  private static func isRule(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let mark = line.first, mark == "-" || mark == "_" || mark == "*" else { return false }
    let length = line.prefix { $0 == mark }.count
    return length >= 3 && line.dropFirst(length).allSatisfy(\.isBlank)
  }

  private static func isAlert(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
    guard line.starts(with: "[!".unicodeScalars), let end = line.firstIndex(of: "]") else { return false }
    let name = String(String.UnicodeScalarView(line[...end])).lowercased()
    return alerts.contains(name) && line[(end + 1)...].allSatisfy(\.isBlank)
  }

  /// A table's row. A pipe with a backslash is text.
  private static func cells(_ row: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
    row.indices.map { index in
      let isEscaped = index > row.startIndex && row[index - 1] == "\\"
      return row[index] == "|" && !isEscaped ? " " : row[index]
    }
  }

  /// The length of the hashes that may end a heading, with the white space around them.
  private static func closingHashes(_ heading: [Unicode.Scalar]) -> Int {
    let spaces = heading.reversed().prefix(while: \.isBlank).count
    let hashes = heading.dropLast(spaces).reversed().prefix { $0 == "#" }.count
    let isClosing = hashes > 0 && heading.dropLast(spaces + hashes).last?.isBlank == true
    return isClosing ? spaces + hashes : 0
  }
}

extension Unicode.Scalar {
  /// White space as scripts of the browser mean it (ECMA-262, `\s`).
  var isBlank: Bool {
    switch value {
    case 0x20, 0x09...0x0D, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
    default: false
    }
  }
}
