import Chat

/// Writes FTS5's query language. Tokens hold letters, digits, marks and signs only, and are quoted all the same, so that
/// nothing in them is syntax.
struct SearchExpression {
  /// A term, for words looked for by their parts in each of its readings.
  struct Alternatives {
    var readings: [SearchQuery.Term]
  }

  var terms: [Alternatives]
  /// Tokens of filters; of each group one must be there.
  var facts: [[String]]

  /// How many tokens are looked up for each epoch.
  var width: Int { max(1, terms.reduce(0) { $0 + $1.readings.reduce(0) { $0 + $1.tokens.count } }) }

  /// The expression for some epochs, newest first. Each term is one list over all of them, so that FTS5 goes from row to
  /// row by whichever list is the shortest: often that of the few rooms.
  func text(epochs: some Sequence<Int64>) -> String {
    let prefixes = epochs.map { SearchIndex.prefix(of: $0) }
    let filters = facts.map { group in "(" + group.map { "\"\($0)\"" }.joined(separator: " OR ") + ")" }
    let words = terms.map { term in
      "(" + prefixes.map { alternatives(term, $0) }.joined(separator: " OR ") + ")"
    }
    return (filters + words).joined(separator: " AND ")
  }

  private func alternatives(_ term: Alternatives, _ prefix: String) -> String {
    term.readings.map { reading($0, prefix) }.joined(separator: " OR ")
  }

  /// Words beside each other are so among the words only; a single one may be a part.
  private func reading(_ term: SearchQuery.Term, _ prefix: String) -> String {
    let phrase = "\"" + term.tokens.map { prefix + $0 }.joined(separator: " ") + "\"" + (term.isPrefix ? " *" : "")
    return term.tokens.count == 1 ? phrase : "words : " + phrase
  }
}
