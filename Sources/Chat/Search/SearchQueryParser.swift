/// Parses the search field and the other parameters, in one pass from left to right.
package struct SearchQueryParser {
  /// The longest query, in Unicode scalars.
  package static let longestText = 200
  /// The maximum number of words and signs in one query, which bounds the cost of matching.
  package static let mostTokens = 32
  /// The maximum number of people, and of rooms, in one query.
  package static let mostNames = 20

  /// The parameters of a request as received; nil for missing ones.
  package struct Input: Sendable {
    /// The search field.
    package var q: String?
    /// `from`, a person.
    package var from: String?
    /// `in`, a room.
    package var room: String?
    /// `before`, a day or a time.
    package var before: String?
    /// `after`, a day or a time.
    package var after: String?
    /// `has`, comma-separated.
    package var has: String?

    package init(
      q: String? = nil, from: String? = nil, room: String? = nil, before: String? = nil, after: String? = nil,
      has: String? = nil
    ) {
      self.q = q
      self.from = from
      self.room = room
      self.before = before
      self.after = after
      self.has = has
    }
  }

  private var query = SearchQuery()
  private var errors: [FieldError] = []
  private var tokenCount = 0

  /// Parses `input`. Throws `.invalid` with an error at `q` or at the parameter for each mistake.
  package static func parse(_ input: Input) throws(ChatError) -> SearchQuery {
    var parser = SearchQueryParser()
    parser.read(input)
    guard parser.errors.isEmpty else { throw .invalid(parser.errors) }
    return parser.query
  }

  private mutating func read(_ input: Input) {
    let filters = [
      ("from", input.from), ("in", input.room), ("before", input.before), ("after", input.after), ("has", input.has),
    ]
    for case (let name, let value?) in filters {
      guard value.unicodeScalars.count <= SearchQueryParser.longestText else {
        refuse(name, "too_long", "Use at most \(SearchQueryParser.longestText) characters.")
        continue
      }
      if name == "has" {
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
          filter(name, String(part), at: name)
        }
      } else {
        filter(name, value, at: name)
      }
    }
    let text = input.q ?? ""
    guard text.unicodeScalars.count <= SearchQueryParser.longestText else {
      return refuse("q", "too_long", "Search for at most \(SearchQueryParser.longestText) characters.")
    }
    read(text)
    if Text.isBlank(text), !query.hasFilters, errors.isEmpty {
      refuse("q", "required", "Write what to look for.")
    }
    if tokenCount > SearchQueryParser.mostTokens {
      refuse("q", "too_long", "Search for at most \(SearchQueryParser.mostTokens) words or signs at a time.")
    }
  }

  // MARK: The text

  /// Parses the search field: words, quoted phrases, and `key:value`.
  private mutating func read(_ text: String) {
    let scalars = text.unicodeScalars
    var position = scalars.startIndex
    var words: [String] = []
    while position < scalars.endIndex {
      if scalars[position].properties.isWhitespace {
        position = scalars.index(after: position)
      } else if SearchQueryParser.isQuote(scalars[position]) {
        let phrase = quoted(scalars, &position)
        words.append(phrase.text)
        // A phrase without its closing quote is still being typed.
        add(phrase.text, isPrefix: !phrase.isClosed, isQuoted: true)
      } else {
        let word = bare(scalars, &position)
        if let colon = word.firstIndex(of: ":"), SearchQueryParser.keys.contains(word[..<colon].lowercased()) {
          var value = String(word[word.index(after: colon)...])
          if value.isEmpty, position < scalars.endIndex, SearchQueryParser.isQuote(scalars[position]) {
            value = quoted(scalars, &position).text
          }
          filter(word[..<colon].lowercased(), value, at: "q")
        } else {
          words.append(word)
          add(word, isPrefix: position == scalars.endIndex, isQuoted: false)
        }
      }
    }
    query.words = Text.trimmed(words.joined(separator: " "))
  }

  private static let keys: Set<String> = ["from", "in", "before", "after", "has"]

  /// Includes the typographic quotes that phones insert.
  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}": true
    default: false
    }
  }

  /// The text up to the next quote, or to the end.
  private func quoted(
    _ scalars: String.UnicodeScalarView, _ position: inout String.Index
  ) -> (text: String, isClosed: Bool) {
    let start = scalars.index(after: position)
    position = start
    while position < scalars.endIndex, !SearchQueryParser.isQuote(scalars[position]) {
      position = scalars.index(after: position)
    }
    let text = String(scalars[start..<position])
    let isClosed = position < scalars.endIndex
    if isClosed { position = scalars.index(after: position) }
    return (text, isClosed)
  }

  /// The text up to white space; `key:` also ends before a quote, which starts its value.
  private func bare(_ scalars: String.UnicodeScalarView, _ position: inout String.Index) -> String {
    let start = position
    var previous: Unicode.Scalar = " "
    while position < scalars.endIndex, !scalars[position].properties.isWhitespace {
      if previous == ":", SearchQueryParser.isQuote(scalars[position]) { break }
      previous = scalars[position]
      position = scalars.index(after: position)
    }
    return String(scalars[start..<position])
  }

  private mutating func add(_ text: String, isPrefix: Bool, isQuoted: Bool) {
    let tokens = SearchTokenizer.words(of: text)
    guard let last = tokens.last else { return }
    tokenCount += tokens.count
    // The start of a number is a different number, and nearly every word starts with a given letter, so these are not
    // prefixes. Neither is a word followed by punctuation.
    let mayGoOn =
      isPrefix && last.unicodeScalars.count > 1 && !last.hasPrefix("#") && SearchQueryParser.endsInWord(text)
    query.terms.append(SearchQuery.Term(tokens: tokens, isPrefix: mayGoOn, isQuoted: isQuoted))
  }

  private static func endsInWord(_ text: String) -> Bool {
    guard let last = text.unicodeScalars.last else { return false }
    switch SearchCharacter(LetterFolding.narrowed(last)) {
    case .letter, .mark, .ignored: return true
    case .ideograph, .symbol, .hash, .separator: return false
    }
  }

  // MARK: Filters

  private mutating func filter(_ key: String, _ value: String, at field: String) {
    let value = Text.trimmed(value)
    guard !value.isEmpty else {
      return refuse(field, "required", "Write \(SearchQueryParser.example(of: key)).")
    }
    switch key {
    case "from": query.senders.append(SearchQuery.Name(text: value, field: field))
    case "in": query.rooms.append(SearchQuery.Name(text: value, field: field))
    case "has":
      guard let fact = SearchFact(rawValue: value.lowercased()) else {
        return refuse(field, "invalid", "Messages can be searched by has:link, has:code and has:mention.")
      }
      query.facts.insert(fact)
    default:
      guard let time = Timestamp(value) ?? Timestamp(value + "T00:00:00Z") else {
        return refuse(field, "invalid", "Write \(SearchQueryParser.example(of: key)).")
      }
      if key == "before" {
        query.before = min(query.before ?? time, time)
      } else {
        query.after = max(query.after ?? time, time)
      }
    }
    if max(query.senders.count, query.rooms.count) == SearchQueryParser.mostNames + 1 {
      refuse(field, "too_long", "Name at most \(SearchQueryParser.mostNames) people or rooms at a time.")
    }
  }

  private static func example(of key: String) -> String {
    switch key {
    case "from": "a login or name, such as from:octocat"
    case "in": "a chat's name, such as in:general"
    case "before": "a day, such as before:2026-03-14"
    case "after": "a day, such as after:2026-03-14"
    default: "has:link, has:code or has:mention"
    }
  }

  private mutating func refuse(_ field: String, _ code: String, _ detail: String) {
    errors.append(FieldError(field: field, code: code, detail: detail))
  }
}
