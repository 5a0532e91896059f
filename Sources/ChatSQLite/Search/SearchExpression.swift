import Chat

/// Builds queries in FTS5's language. Tokens contain only letters, digits, marks and signs, and are quoted anyway, so
/// that nothing in them is syntax.
struct SearchExpression {
  /// A term; for a partial word, all the words it may stand for.
  struct Alternatives {
    var readings: [SearchQuery.Term]
  }

  var terms: [Alternatives]
  /// The tokens of filters; of each group, one must match.
  var facts: [[String]]

  /// The number of token lookups per epoch.
  var width: Int { max(1, terms.reduce(0) { $0 + $1.readings.reduce(0) { $0 + $1.tokens.count } }) }

  /// The expression for some epochs, newest first. Each term is a single list over all of them, so that FTS5 iterates
  /// over the shortest list, which often is that of a few rooms.
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

  /// Phrases match only in the column of whole words; a single word also matches by its parts.
  private func reading(_ term: SearchQuery.Term, _ prefix: String) -> String {
    let phrase = "\"" + term.tokens.map { prefix + $0 }.joined(separator: " ") + "\"" + (term.isPrefix ? " *" : "")
    return term.tokens.count == 1 ? phrase : "words : " + phrase
  }
}
