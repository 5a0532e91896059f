/// Splits a text into searchable tokens. The index, queries and highlighting share it, so that what is found is what is
/// highlighted. Works in one pass, looking ahead no further than the end of a number.
///
/// The index on disk contains the result, so a change here needs a migration that indexes all messages again.
package struct SearchTokenizer {
  /// The longest token, in scalars; a longer word (base64, a key) continues in another token.
  package static let longestToken = 64

  private let text: UTF8Scalars
  private var position = 0
  private var tokens: [SearchToken] = []

  /// All tokens in the order of the text, each word followed by its parts.
  package static func tokens(of text: String) -> [SearchToken] {
    UTF8Scalars.read(text) { text in
      var tokenizer = SearchTokenizer(text: text)
      tokenizer.run()
      return tokenizer.tokens
    }
  }

  /// The words only.
  package static func words(of text: String) -> [String] {
    tokens(of: text).filter { !$0.isPart }.map(\.text)
  }

  private init(text: UTF8Scalars) {
    self.text = text
    tokens.reserveCapacity(text.count / 5)
  }

  private mutating func run() {
    while let scalar = current {
      switch SearchCharacter(scalar) {
      case .letter: if !plainWord() { word() }
      case .ideograph: ideograph(scalar)
      case .symbol:
        let start = position
        advance()
        while let next = current, case .ignored = SearchCharacter(next) { advance() }
        tokens.append(SearchToken(text: String(scalar), isPart: false, range: start..<position))
      case .hash: number()
      case .mark, .ignored, .separator: advance()
      }
    }
  }

  private var current: Unicode.Scalar? {
    position < text.count ? LetterFolding.narrowed(text[position]) : nil
  }

  private mutating func advance() { position = text.index(after: position) }

  /// Fast path for a common word, byte by byte: ASCII letters and digits without capitals after the first letter, up to
  /// a space, an ASCII punctuation mark or the end. For anything else returns false and reads nothing.
  private mutating func plainWord() -> Bool {
    var end = position
    var startsUpper = false
    scan: while end < text.count {
      switch text.bytes[end] {
      case 0x61...0x7A, 0x30...0x39: break
      case 0x41...0x5A where end == position: startsUpper = true
      case 0x41...0x5A, 0x80...0xFF: return false
      default: break scan
      }
      end += 1
      guard end - position < SearchTokenizer.longestToken else { return false }
    }
    guard end > position else { return false }
    let word = text.string(position..<end)
    tokens.append(
      SearchToken(text: startsUpper ? word.lowercased() : word, isPart: false, range: position..<end))
    position = end
    return true
  }

  /// A run of letters and digits, and its parts if the case separates them.
  private mutating func word() {
    var word = WordBuilder(start: position)
    loop: while let scalar = current, word.length < SearchTokenizer.longestToken {
      switch SearchCharacter(scalar) {
      case .letter:
        let start = position
        advance()
        word.append(scalar, at: start..<position)
      case .mark:
        advance()
        word.append(mark: scalar, to: position)
      case .ignored:
        advance()
        word.extend(to: position)
      case .ideograph, .symbol, .hash, .separator: break loop
      }
    }
    word.add(to: &tokens)
  }

  /// `#` and digits up to the end of the word: an issue number. Otherwise `#` is punctuation.
  private mutating func number() {
    let start = position
    advance()
    let digits = position
    var name = "#".unicodeScalars
    while let scalar = current, ("0"..."9").contains(scalar), name.count <= 20 {
      name.append(scalar)
      advance()
    }
    var isWord = name.count > 1
    if isWord, let next = current, case .letter = SearchCharacter(next) { isWord = false }
    guard isWord else {
      position = digits
      return
    }
    tokens.append(SearchToken(text: String(name), isPart: false, range: start..<position))
    tokens.append(SearchToken(text: String(name.dropFirst()), isPart: true, range: digits..<position))
  }

  private mutating func ideograph(_ first: Unicode.Scalar) {
    let start = position
    advance()
    var scalar = first
    while position < text.count, let whole = SearchTokenizer.composed(scalar, text[position]) {
      scalar = whole
      advance()
    }
    tokens.append(SearchToken(text: String(scalar), isPart: false, range: start..<position))
  }

  /// The canonical composition of two scalars: Hangul syllables from their letters (The Unicode Standard, 3.12) and
  /// kana with their voicing mark, as in file names from a Mac.
  private static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let (one, two) = (first.value, second.value)
    if (0x1100...0x1112).contains(one), (0x1161...0x1175).contains(two) {
      return Unicode.Scalar(0xAC00 + ((one - 0x1100) * 21 + two - 0x1161) * 28)
    }
    if (0xAC00...0xD7A3).contains(one), (one - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(two) {
      return Unicode.Scalar(one + two - 0x11A7)
    }
    guard two == 0x3099 || two == 0x309A else { return nil }
    // Voiced forms are one or two places after the plain one, except those of U and WA.
    for value in [one + 1, one + 2, one + 0x4E, one + 8] {
      // Strings are equal if they are canonically equivalent.
      if let whole = Unicode.Scalar(value), String(whole) == String(String.UnicodeScalarView([first, second])) {
        return whole
      }
    }
    return nil
  }
}

/// The state of reading a word.
private struct WordBuilder {
  private enum Case { case upper, lower, none }

  private let start: Int
  private var end: Int
  private var folded = String.UnicodeScalarView()
  private(set) var length = 0
  private var last = Case.none
  private var secondLast = Case.none
  private var lastLetter: (index: Int, offset: Int)
  /// The starts of the parts after the first: the index in the original, and the number of folded scalars before it.
  private var cuts: [(index: Int, offset: Int)] = []

  init(start: Int) {
    self.start = start
    end = start
    lastLetter = (start, 0)
  }

  mutating func append(_ scalar: Unicode.Scalar, at range: Range<Int>) {
    let now = WordBuilder.letterCase(scalar)
    if now == .upper, last == .lower {
      cuts.append((range.lowerBound, length))
    } else if now == .lower, last == .upper, secondLast == .upper {
      cuts.append(lastLetter)
    }
    (secondLast, last) = (last, now)
    lastLetter = (range.lowerBound, length)
    length += LetterFolding.append(scalar, to: &folded)
    end = range.upperBound
  }

  mutating func append(mark: Unicode.Scalar, to end: Int) {
    folded.append(mark)
    length += 1
    self.end = end
  }

  /// Accents and the like are shown with the preceding letter.
  mutating func extend(to end: Int) { self.end = end }

  func add(to tokens: inout [SearchToken]) {
    guard length > 0 else { return }
    tokens.append(SearchToken(text: String(folded), isPart: false, range: start..<end))
    guard !cuts.isEmpty else { return }
    let all = Array(folded)
    var part: (index: Int, offset: Int) = (start, 0)
    for cut in cuts + [(end, all.count)] where cut.offset > part.offset {
      let text = String(String.UnicodeScalarView(all[part.offset..<cut.offset]))
      tokens.append(SearchToken(text: text, isPart: true, range: part.index..<cut.index))
      part = cut
    }
  }

  private static func letterCase(_ scalar: Unicode.Scalar) -> Case {
    if scalar.isASCII {
      switch scalar {
      case "a"..."z": return .lower
      case "A"..."Z": return .upper
      default: return .none
      }
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter: return .upper
    case .lowercaseLetter: return .lower
    default: return .none
    }
  }
}
