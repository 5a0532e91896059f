/// Who is mentioned in a text: `@` and a handle (R3).
public enum Mentions {
  /// The most people that one message can mention; further ones are plain text.
  public static let most = 50

  /// The handles after an `@` that begins a word, case-folded, each once, in the order of the text. One pass, no backing
  /// up (SECURITY 10).
  public static func handles(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
    var handles: [String] = []
    var current: String.UnicodeScalarView?
    var beginsWord = true
    func close() {
      guard let word = current, !word.isEmpty, handles.count < most else { return }
      let handle = folded(trimmed(word))
      if !handle.isEmpty, !handles.contains(handle) { handles.append(handle) }
    }
    for scalar in text.unicodeScalars {
      let isPart = isLetterOrDigit(scalar) || scalar == "-" || scalar == "_"
      if current != nil, isPart {
        current?.append(scalar)
      } else {
        close()
        current = scalar == "@" && beginsWord ? String.UnicodeScalarView() : nil
      }
      beginsWord = !isPart && scalar != "@"
    }
    close()
    return handles
  }

  /// The handle of who has no login: the letters and digits of the name.
  public static func handle(ofName name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.lazy.filter(isLetterOrDigit)))
  }

  /// A handle as it is compared.
  public static func folded(_ handle: String) -> String { handle.lowercased() }

  /// Letters with their marks, and digits, of every script.
  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// Without the hyphens at the end that belong to the sentence: `@ada-`.
  private static func trimmed(_ word: String.UnicodeScalarView) -> String {
    var word = word
    while word.last == "-" { word.removeLast() }
    return String(word)
  }
}
