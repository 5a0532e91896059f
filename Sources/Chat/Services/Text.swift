/// Helpers for input rules.
enum Text {
  /// The text without white space (Unicode White_Space) at either end.
  static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// A prefix by Unicode scalars; a prefix by characters would have no limit in bytes.
  static func prefix(of text: String, _ scalars: Int) -> String {
    String(text.unicodeScalars.prefix(scalars))
  }

  /// Whether the text looks blank.
  static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
  }

  /// Whether nothing of the text is visible: only spaces, marks without a letter, fillers and other ignorable
  /// characters.
  static func isInvisible(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint { return true }
      switch scalar.properties.generalCategory {
      case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .surrogate, .privateUse, .unassigned:
        return true
      default:
        // The empty braille pattern is categorised as a symbol.
        return scalar.value == 0x2800
      }
    }
  }

  /// C0, DEL and C1 controls, line and paragraph separators, and bidirectional marks, which could make a name look like
  /// another's.
  static func isUnfitForNames(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
