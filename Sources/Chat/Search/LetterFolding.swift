/// Folds letters for search: removes case and diacritics, in every script that has them.
///
/// The index on disk contains the result, so a change here changes the stored format and needs a migration that indexes
/// all messages again.
enum LetterFolding {
  /// Appends `scalar` folded to `text`, and returns how many scalars were appended: none for marks that `isDropped`
  /// matches.
  static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) -> Int {
    if scalar.isASCII {
      let isUpper = (0x41...0x5A).contains(scalar.value)
      text.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
      return 1
    }
    var count = 0
    for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isDropped(lower) {
      let folded = (table[lower.value] ?? String(lower)).unicodeScalars
      text.append(contentsOf: folded)
      count += folded.count
    }
    return count
  }

  /// Marks that affect a spelling but not the word: accents, Hebrew points, Arabic vowel signs, variation selectors.
  static func isDropped(_ mark: Unicode.Scalar) -> Bool {
    switch mark.value {
    case 0x0300...0x036F, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7, 0x064B...0x065F, 0x0670,
      0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F:
      true
    default: false
    }
  }

  /// Converts full-width forms of ASCII (U+FF01–FF5E), which Japanese input methods mix with it, to ASCII; leaves
  /// everything else.
  static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  /// Maps a modified lower-case letter to its base. Unicode's name of `é` is "… E WITH ACUTE", so the part before WITH
  /// names the letter. This also covers letters without a decomposition, such as `ø`.
  private static let table: [UInt32: String] = {
    var byName: [String: Unicode.Scalar] = [:]
    var composed: [(letter: Unicode.Scalar, base: String)] = []
    let blocks: [ClosedRange<UInt32>] = [
      0x61...0x7A, 0xDF...0x24F, 0x370...0x52F, 0x620...0x6D3, 0x1E00...0x1FFF,
    ]
    for value in blocks.joined() {
      guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { continue }
      byName[name] = scalar
      let words = name.split(separator: " ")
      guard let with = words.firstIndex(of: "WITH") else { continue }
      composed.append((scalar, words[..<with].joined(separator: " ")))
    }
    var table: [UInt32: String] = [:]
    for (letter, name) in composed {
      guard let base = byName[name] else { continue }
      table[letter.value] = spellings[base] ?? String(base)
    }
    for (letter, spelling) in spellings { table[letter.value] = spelling }
    return table
  }()

  /// Letters that people spell differently if their keyboard lacks them, and letters that decompose although their name
  /// does not say so.
  private static let spellings: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ĳ": "ij", "ı": "i", "ſ": "s", "ς": "σ", "ё": "е", "й": "и", "ї": "і", "ў": "у",
    "ѓ": "г", "ќ": "к",
  ]
}
