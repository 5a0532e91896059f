/// A piece of text that can be looked for.
public struct SearchToken: Hashable, Sendable {
  /// The folded text: what the index holds and a query is compared with.
  public var text: String
  /// Whether it is only a part of the word before it: `bar` of `fooBar`, `123` of `#123`. Phrases are made of words.
  public var isPart: Bool
  /// Where it stands in the original text.
  public var range: Range<String.Index>

  /// A token from its parts.
  public init(text: String, isPart: Bool, range: Range<String.Index>) {
    self.text = text
    self.isPart = isPart
    self.range = range
  }
}

/// What a scalar does in a search.
enum SearchCharacter {
  /// Stands in a word: letters and digits of scripts that write words apart.
  case letter
  /// Is a word by itself: scripts without spaces between words (Han, kana, Hangul, Thai, …), so that a phrase of such
  /// tokens finds any part of a text.
  case ideograph
  /// Is a word by itself: emoji and other signs beyond ASCII.
  case symbol
  /// Belongs to the letter before it.
  case mark
  /// Is passed over without ending a word: joiners, soft hyphens, variation selectors, skin tones.
  case ignored
  /// `#`, which begins `#123`.
  case hash
  /// Ends a word: space and punctuation.
  case separator

  init(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": self = .letter
      case "#": self = .hash
      default: self = .separator
      }
      return
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      self = SearchCharacter.isIdeographic(scalar.value) ? .ideograph : .letter
    case .nonspacingMark, .spacingMark, .enclosingMark:
      if LetterFolding.isDropped(scalar) {
        self = .ignored
      } else {
        self = SearchCharacter.isIdeographic(scalar.value) ? .ideograph : .mark
      }
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .privateUse, .unassigned:
      self = (0x1F3FB...0x1F3FF).contains(scalar.value) ? .ignored : .symbol
    case .format:
      // A zero-width space is a space.
      self = scalar.value == 0x200B ? .separator : .ignored
    default:
      self = .separator
    }
  }

  /// Blocks of scripts that do not write spaces between words, and of Hangul, whose words carry endings.
  private static func isIdeographic(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B2FF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
