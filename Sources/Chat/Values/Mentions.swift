/// The mentions in a text: `@` and a handle.
package enum Mentions {
  /// The handles after an `@` at the start of a word, case-folded, without duplicates, in the order of the text. One
  /// pass, without backtracking.
  package static func handles(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
    var handles: [String] = []
    var current: String.UnicodeScalarView?
    var beginsWord = true
    func close() {
      guard let word = current, !word.isEmpty, handles.count < MessageRules.mostMentions else { return }
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

  /// The handle of a person without a login: the letters and digits of their name.
  package static func handle(ofName name: String) -> String {
    var handle = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where isLetterOrDigit(scalar) { handle.append(scalar) }
    return String(handle)
  }

  /// `base`, or with a number behind it the handle of which `isTaken`, given it folded, is false. It looks at few numbers,
  /// however many people share a name, so it may leave some out.
  package static func free(_ base: String, isTaken: (String) throws -> Bool) rethrows -> String {
    let base = base.isEmpty ? "person" : base
    guard try isTaken(folded(base)) else { return base }
    var (low, high) = (2, 2)
    while try isTaken(folded(base + "\(high)")) { (low, high) = (high + 1, high * 2) }
    while low < high {
      let middle = (low + high) / 2
      if try isTaken(folded(base + "\(middle)")) { low = middle + 1 } else { high = middle }
    }
    return base + "\(high)"
  }

  /// Whether an `@` before this text mentions it as a whole.
  package static func isHandle(_ text: String) -> Bool {
    text.unicodeScalars.first.map(isLetterOrDigit) == true && handles(in: "@" + text) == [folded(text)]
      && text.last != "-"
  }

  /// A handle in the form that is compared.
  package static func folded(_ handle: String) -> String { handle.lowercased() }

  /// Letters and digits of every script, and the marks on letters.
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

  /// Removes trailing hyphens, which belong to the sentence: `@ada-`.
  private static func trimmed(_ word: String.UnicodeScalarView) -> String {
    var word = word
    while word.last == "-" { word.removeLast() }
    return String(word)
  }
}
