/// The text of a paragraph without the marks of emphasis, code, links and pictures, and without backslashes before
/// marks. What is opened and not closed stays as it is.
struct PlainInlines {
  /// Openers that may still be closed: brackets, or runs of the same marks and length.
  private struct Opener: Hashable {
    var mark: Unicode.Scalar
    var length: Int
  }

  private let text: [Unicode.Scalar]
  private var position = 0
  /// What is read; nil in place of marks that are dropped.
  private var line: [Unicode.Scalar?] = []
  /// Where the openers are in `line`.
  private var open: [Opener: [Range<Int>]] = [:]
  /// Where runs of backticks are, by length, the last one first; those already passed are left out.
  private var backticks: [Int: [Int]]?

  init(text: [Unicode.Scalar]) { self.text = text }

  mutating func read() -> [Unicode.Scalar] {
    line.reserveCapacity(text.count)
    while position < text.count {
      switch text[position] {
      case "\\": escape()
      case "`": code()
      case "<": angle()
      case "!" where peek(1) == "[": bracket(length: 2)
      case "[": bracket(length: 1)
      case "]": closeBracket()
      case "*", "_", "~": marks()
      case "h", "H": address()
      default: keep(1)
      }
    }
    return line.compactMap { $0 }
  }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < text.count ? text[position + distance] : nil
  }

  private mutating func keep(_ count: Int) {
    for index in position..<position + count { line.append(text[index]) }
    position += count
  }

  /// The end of the scalars of one kind from an offset on.
  private func end(from start: Int, while belongs: (Unicode.Scalar) -> Bool) -> Int {
    var end = start
    while end < text.count, belongs(text[end]) { end += 1 }
    return end
  }

  private mutating func escape() {
    guard let next = peek(1), next == "\n" || next.isMark else { return keep(1) }
    position += 1
    keep(1)
  }

  private mutating func code() {
    let start = position
    let length = end(from: start) { $0 == "`" } - start
    var places = runsOfBackticks()[length] ?? []
    while let last = places.last, last <= start { places.removeLast() }
    backticks?[length] = places
    guard let close = places.last else { return keep(length) }
    position = start + length
    keep(close - position)
    position = close + length
  }

  private mutating func runsOfBackticks() -> [Int: [Int]] {
    if let backticks { return backticks }
    var found: [Int: [Int]] = [:]
    var index = text.count
    while index > 0 {
      let last = index
      while index > 0, text[index - 1] == "`" { index -= 1 }
      if index < last { found[last - index, default: []].append(index) } else { index -= 1 }
    }
    backticks = found
    return found
  }

  /// An address, so that its underscores are no marks.
  private mutating func address() {
    let name = String(String.UnicodeScalarView(text[position...].prefix(5))).lowercased()
    let length = name == "https" ? 5 : name.hasPrefix("http") ? 4 : 0
    guard length > 0, peek(length) == ":", peek(length + 1) == "/", peek(length + 2) == "/" else { return keep(1) }
    let start = position + length + 3
    var last = end(from: start) { !$0.isBlank && $0 != "<" && $0 != "]" }
    while last > start, "?!.,:;*_~'\"()".unicodeScalars.contains(text[last - 1]) { last -= 1 }
    keep(last > start ? last - position : 1)
  }

  /// `<https://example.org>`, `<ada@example.org>`
  private mutating func angle() {
    let last = end(from: position + 1) { !$0.isBlank && $0 != "<" && $0 != ">" }
    guard last < text.count, text[last] == ">" else { return keep(1) }
    let inner = text[(position + 1)..<last]
    let scheme = inner.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == "+" || $0 == "." || $0 == "-" }
    let isAddress =
      scheme.count > 1 && scheme.first?.isASCIILetter == true && scheme.endIndex < last && text[scheme.endIndex] == ":"
    let parts = inner.split(separator: "@", omittingEmptySubsequences: false)
    guard isAddress || (parts.count == 2 && parts.allSatisfy { !$0.isEmpty }) else { return keep(1) }
    position += 1
    keep(inner.count)
    position += 1
  }

  private mutating func bracket(length: Int) {
    open[Opener(mark: "[", length: 1), default: []].append(line.count..<line.count + length)
    keep(length)
  }

  private mutating func closeBracket() {
    let opener = open[Opener(mark: "[", length: 1)]?.popLast()
    guard let opener, let end = target(from: position + 1) else { return keep(1) }
    drop(opener)
    position = end
  }

  /// The offset behind `(address "title")`.
  private func target(from start: Int) -> Int? {
    guard start < text.count, text[start] == "(" else { return nil }
    let first = end(from: start + 1, while: \.isBlank)
    guard first < text.count else { return nil }
    if text[first] == "<" {
      let close = end(from: first + 1) { $0 != "<" && $0 != ">" && $0 != "\n" }
      if close < text.count, text[close] == ">", let end = targetEnd(from: close + 1) { return end }
    }
    func word(from start: Int) -> Int { end(from: start) { !$0.isBlank && $0 != "(" && $0 != ")" } }
    var last = word(from: first)
    while last < text.count, text[last] == "(" {
      let inner = word(from: last + 1)
      guard inner < text.count, text[inner] == ")" else { break }
      last = word(from: inner + 1)
    }
    return targetEnd(from: last)
  }

  private func targetEnd(from start: Int) -> Int? {
    var last = end(from: start, while: \.isBlank)
    if last > start, last < text.count, text[last] == "\"" || text[last] == "'" {
      let quote = text[last]
      last = end(from: last + 1) { $0 != quote } + 1
      guard last <= text.count else { return nil }
      last = end(from: last, while: \.isBlank)
    }
    return last < text.count && text[last] == ")" ? last + 1 : nil
  }

  /// Emphasis by CommonMark's flanking rules, but none within words that may be arithmetic: `2*3*4`.
  private mutating func marks() {
    let mark = text[position]
    let last = end(from: position) { $0 == mark }
    let length = last - position
    let (before, after) = (position > 0 ? text[position - 1] : nil, last < text.count ? text[last] : nil)
    let (ahead, behind) = (Side(before), Side(after))
    if ahead == .word, behind == .word {
      if mark == "_" || length == 1 || before?.isASCIIDigit == true || after?.isASCIIDigit == true {
        return keep(length)
      }
    }
    let opener = Opener(mark: mark, length: length)
    let closes = ahead == .word || (ahead == .mark && behind != .word)
    if closes, let place = open[opener]?.popLast() {
      drop(place)
      position = last
      return
    }
    if behind == .word || (behind == .mark && ahead != .word) {
      open[opener, default: []].append(line.count..<line.count + length)
    }
    keep(length)
  }

  private mutating func drop(_ range: Range<Int>) {
    for index in range { line[index] = nil }
  }
}

/// What stands beside a run of marks.
private enum Side {
  case space, mark, word

  /// The ends of the text count as space; letters are those of most scripts, as far as a range or two can tell.
  init(_ scalar: Unicode.Scalar?) {
    switch scalar {
    case nil: self = .space
    case let scalar? where scalar.isBlank: self = .space
    case let scalar?:
      let isLetter =
        scalar.isASCIILetter || scalar.isASCIIDigit || (0xC0...0x1FFF).contains(scalar.value)
        || (0x3040...0xD7FF).contains(scalar.value)
      self = isLetter ? .word : .mark
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
  /// ASCII punctuation, which a backslash escapes.
  fileprivate var isMark: Bool { (0x21...0x7E).contains(value) && !isASCIILetter && !isASCIIDigit }
}
