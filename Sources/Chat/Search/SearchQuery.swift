/// What somebody looks for among the messages: all of it must hold.
public struct SearchQuery: Hashable, Sendable {
  /// A word, or several that must stand beside each other.
  public struct Term: Hashable, Sendable {
    /// The tokens, at least one.
    public var tokens: [String]
    /// Whether the last token may go on: it is still being typed.
    public var isPrefix: Bool
    /// Whether it was put in quotes, and so is taken at its word.
    public var isQuoted: Bool

    /// Of a part of a word this many scalars must be written.
    public static let shortestPart = 3

    /// Whether it may be looked for as a part of words.
    public var mayBePart: Bool {
      !isQuoted && (tokens.count > 1 || tokens.contains { $0.unicodeScalars.count >= Term.shortestPart })
    }

    /// A term from its parts.
    public init(tokens: [String], isPrefix: Bool = false, isQuoted: Bool = false) {
      self.tokens = tokens
      self.isPrefix = isPrefix
      self.isQuoted = isQuoted
    }
  }

  /// A person or room by id, name or login, and the field that it was written in.
  public struct Name: Hashable, Sendable {
    /// What was written.
    public var text: String
    /// Where an error is told: `q` or the parameter.
    public var field: String

    /// A name from its parts.
    public init(text: String, field: String) {
      self.text = text
      self.field = field
    }
  }

  /// What the text must say.
  public var terms: [Term] = []
  /// Who may have written it; anybody where there is none.
  public var senders: [Name] = []
  /// Where it may stand; anywhere where there is none.
  public var rooms: [Name] = []
  /// Only what was stored at this moment or later.
  public var after: Timestamp?
  /// Only what was stored before this moment.
  public var before: Timestamp?
  /// What it must have.
  public var facts: Set<SearchFact> = []
  /// The words as they were typed, without filters and quotes: what people and rooms are looked for by.
  public var words: String = ""

  /// A query that asks for nothing.
  public init() {}

  /// Whether there is anything besides words, so that people and rooms are not asked for.
  public var hasFilters: Bool {
    !senders.isEmpty || !rooms.isEmpty || after != nil || before != nil || !facts.isEmpty
  }

  /// Whether `time` lies in what `after` and `before` leave.
  public func covers(_ time: Timestamp) -> Bool {
    time >= after ?? time && (before.map { time < $0 } ?? true)
  }

  /// Whether messages are asked for at all; punctuation alone is nothing to look for.
  public var asksForMessages: Bool { !terms.isEmpty || hasFilters }
}
