/// What somebody typed to find an issue or pull request: the start of its number, or of words of its title.
package struct IssueFilter: Hashable, Sendable {
  private enum Wanted: Hashable {
    case everything
    case number(String)
    case words([String])
  }

  private let wanted: Wanted

  /// Digits, with or without `#`, are the start of a number. Anything else is words, each the start of a word of the
  /// title, in any order, without regard to case and diacritics. Nothing matches everything; punctuation alone, nothing.
  package init(_ text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    if digits.isEmpty {
      wanted = .everything
    } else if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      wanted = .number(String(digits))
    } else {
      wanted = .words(SearchTokenizer.words(of: text))
    }
  }

  /// Whether an issue with this number matches; `words` are those of its title (`words(of:)`).
  package func matches(number: Int, words: [String]) -> Bool {
    switch wanted {
    case .everything: true
    case .number(let digits): String(number).hasPrefix(digits)
    case .words(let starts):
      !starts.isEmpty && starts.allSatisfy { start in words.contains { $0.hasPrefix(start) } }
    }
  }

  /// The words of a title in the form that is compared, and the parts of those written in camel case.
  package static func words(of title: String) -> [String] {
    SearchTokenizer.tokens(of: title).map(\.text)
  }
}
