/// A searchable unit of text.
package struct SearchToken: Hashable, Sendable {
  /// The folded text, as in the index and in queries.
  package var text: String
  /// Whether it is only a part of the preceding word: `bar` of `fooBar`, `123` of `#123`. Phrases consist of words.
  package var isPart: Bool
  /// Its range in the original text, in bytes of UTF-8.
  package var range: Range<Int>

  package init(text: String, isPart: Bool, range: Range<Int>) {
    self.text = text
    self.isPart = isPart
    self.range = range
  }
}

/// The role of a scalar in search.
enum SearchCharacter {
  /// Part of a word: letters and digits of scripts that separate words.
  case letter
  /// A word by itself: scripts without spaces between words (Han, kana, Hangul, Thai, …), so that a phrase of such
  /// tokens matches any part of a text.
  case ideograph
  /// A word by itself: emoji and other signs beyond ASCII.
  case symbol
  /// Part of the preceding letter.
  case mark
  /// Skipped without ending a word: joiners, soft hyphens, variation selectors, skin tones.
  case ignored
  /// `#`, which starts `#123`.
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
      // A zero-width space counts as a space.
      self = scalar.value == 0x200B ? .separator : .ignored
    default:
      self = .separator
    }
  }

  /// Blocks of scripts that do not separate words by spaces, and of Hangul, whose words have endings.
  private static func isIdeographic(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B2FF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
