/// Cuts a text into what can be looked for. One function for the index, the query and the marking of hits, so that
/// what is found is what is shown. One pass, no look further ahead than the end of a number.
///
/// The index on disk holds what this gives, so a change here needs a migration that indexes all messages anew.
public struct SearchTokenizer {
  /// The longest token, in scalars; a longer word (base64, a key) goes on in a further token.
  public static let longestToken = 64

  private let scalars: String.UnicodeScalarView
  private var position: String.Index
  private var tokens: [SearchToken] = []

  /// All tokens in the order of the text, parts behind the word that they are of.
  public static func tokens(of text: String) -> [SearchToken] {
    var tokenizer = SearchTokenizer(text)
    tokenizer.run()
    return tokenizer.tokens
  }

  /// The words alone.
  public static func words(of text: String) -> [String] {
    tokens(of: text).filter { !$0.isPart }.map(\.text)
  }

  private init(_ text: String) {
    scalars = text.unicodeScalars
    position = scalars.startIndex
  }

  private mutating func run() {
    while let scalar = current {
      switch SearchCharacter(scalar) {
      case .letter: word()
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
    position < scalars.endIndex ? LetterFolding.narrowed(scalars[position]) : nil
  }

  private mutating func advance() { scalars.formIndex(after: &position) }

  /// A run of letters and digits, and its parts where the case tells them apart.
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

  /// `#` and digits up to the end of the word: an issue's number. Otherwise `#` is punctuation.
  private mutating func number() {
    let start = position
    advance()
    let digits = position
    var text = "#".unicodeScalars
    while let scalar = current, ("0"..."9").contains(scalar), text.count <= 20 {
      text.append(scalar)
      advance()
    }
    var isWord = text.count > 1
    if isWord, let next = current, case .letter = SearchCharacter(next) { isWord = false }
    guard isWord else {
      position = digits
      return
    }
    tokens.append(SearchToken(text: String(text), isPart: false, range: start..<position))
    tokens.append(SearchToken(text: String(text.dropFirst()), isPart: true, range: digits..<position))
  }

  private mutating func ideograph(_ first: Unicode.Scalar) {
    let start = position
    advance()
    var scalar = first
    while position < scalars.endIndex, let whole = SearchTokenizer.composed(scalar, scalars[position]) {
      scalar = whole
      advance()
    }
    tokens.append(SearchToken(text: String(scalar), isPart: false, range: start..<position))
  }

  /// Two scalars as the one that they are equal to: Hangul from its letters (The Unicode Standard, 3.12) and kana with
  /// its voice mark, as file names from a Mac have them.
  private static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let (one, two) = (first.value, second.value)
    if (0x1100...0x1112).contains(one), (0x1161...0x1175).contains(two) {
      return Unicode.Scalar(0xAC00 + ((one - 0x1100) * 21 + two - 0x1161) * 28)
    }
    if (0xAC00...0xD7A3).contains(one), (one - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(two) {
      return Unicode.Scalar(one + two - 0x11A7)
    }
    guard two == 0x3099 || two == 0x309A else { return nil }
    // Voiced forms stand one or two places behind the plain one, but for those of U and WA.
    for value in [one + 1, one + 2, one + 0x4E, one + 8] {
      // Strings are equal when they are canonically equivalent.
      if let whole = Unicode.Scalar(value), String(whole) == String(String.UnicodeScalarView([first, second])) {
        return whole
      }
    }
    return nil
  }
}

/// A word while it is read.
private struct WordBuilder {
  private enum Case { case upper, lower, none }

  private let start: String.Index
  private var end: String.Index
  private var folded = String.UnicodeScalarView()
  private(set) var length = 0
  private var last = Case.none
  private var secondLast = Case.none
  private var lastLetter: (index: String.Index, offset: Int)
  /// Where parts begin behind the first: in the original, and as a count of folded scalars.
  private var cuts: [(index: String.Index, offset: Int)] = []

  init(start: String.Index) {
    self.start = start
    end = start
    lastLetter = (start, 0)
  }

  mutating func append(_ scalar: Unicode.Scalar, at range: Range<String.Index>) {
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

  mutating func append(mark: Unicode.Scalar, to end: String.Index) {
    folded.append(mark)
    length += 1
    self.end = end
  }

  /// Accents and the like are shown with the letter before them.
  mutating func extend(to end: String.Index) { self.end = end }

  func add(to tokens: inout [SearchToken]) {
    guard length > 0 else { return }
    tokens.append(SearchToken(text: String(folded), isPart: false, range: start..<end))
    guard !cuts.isEmpty else { return }
    let all = Array(folded)
    var part: (index: String.Index, offset: Int) = (start, 0)
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
