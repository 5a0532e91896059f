/// A search for messages; all of its conditions must hold.
package struct SearchQuery: Hashable, Sendable {
  /// A word, or several adjacent words.
  package struct Term: Hashable, Sendable {
    /// The tokens, at least one.
    package var tokens: [String]
    /// Whether the last token is a prefix, because it is still being typed.
    package var isPrefix: Bool
    /// Whether it was quoted, and so must match exactly.
    package var isQuoted: Bool

    /// The minimum length in scalars of a part of a word.
    package static let shortestPart = 3

    /// Whether it may also match parts of words.
    package var mayBePart: Bool {
      !isQuoted && (tokens.count > 1 || tokens.contains { $0.unicodeScalars.count >= Term.shortestPart })
    }

    package init(tokens: [String], isPrefix: Bool = false, isQuoted: Bool = false) {
      self.tokens = tokens
      self.isPrefix = isPrefix
      self.isQuoted = isQuoted
    }
  }

  /// A person or room given by id, name or login, and the field it was written in.
  package struct Name: Hashable, Sendable {
    /// The text as written.
    package var text: String
    /// The field for errors: `q` or the parameter.
    package var field: String

    package init(text: String, field: String) {
      self.text = text
      self.field = field
    }
  }

  /// The terms that the text must contain.
  package var terms: [Term] = []
  /// The allowed senders; empty allows everyone.
  package var senders: [Name] = []
  /// The allowed rooms; empty allows all.
  package var rooms: [Name] = []
  /// Only messages stored at this time or later.
  package var after: Timestamp?
  /// Only messages stored before this time.
  package var before: Timestamp?
  /// The facts that must apply.
  package var facts: Set<SearchFact> = []
  /// The words as typed, without filters and quotes, for finding people and rooms.
  package var words: String = ""

  /// The empty query.
  package init() {}

  /// Whether there are filters, in which case people and rooms are not searched.
  package var hasFilters: Bool {
    !senders.isEmpty || !rooms.isEmpty || after != nil || before != nil || !facts.isEmpty
  }

  /// Whether `time` is within `after` and `before`.
  package func covers(_ time: Timestamp) -> Bool {
    time >= after ?? time && (before.map { time < $0 } ?? true)
  }

  /// Whether to search messages at all; punctuation alone finds nothing.
  package var asksForMessages: Bool { !terms.isEmpty || hasFilters }
}
