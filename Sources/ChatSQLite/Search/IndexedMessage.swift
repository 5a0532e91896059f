import Chat

/// A message's content in the index.
struct IndexedMessage {
  let number: Int64
  let rowid: Int64
  /// The words in order, for phrases.
  let words: String
  /// The trigrams of words.
  let parts: String
  /// The tokens that filters match.
  let facts: String
  /// The longer words, which can be found by their parts.
  let terms: Set<String>

  /// The length of the shortest word with parts; a word of three letters is its only trigram.
  private static let shortestTerm = 4

  init(_ text: String, number: Int64, room: Int64, sender: Int64) {
    self.number = number
    rowid = SearchIndex.rowid(number, room: room)
    let prefix = SearchIndex.prefix(of: SearchIndex.epoch(of: number))
    var (words, parts, terms) = ("", "", Set<String>())
    for token in SearchTokenizer.tokens(of: text) {
      if token.isPart {
        parts += prefix + token.text + " "
      } else {
        words += prefix + token.text + " "
        if !token.text.hasPrefix("#"), token.text.unicodeScalars.count >= IndexedMessage.shortestTerm {
          terms.insert(token.text)
        }
      }
    }
    (self.words, self.parts, self.terms) = (words, parts, terms)
    let facts = SearchFact.facts(of: text).map(SearchIndex.fact)
    self.facts =
      ([SearchIndex.anyFact, SearchIndex.roomFact(room), SearchIndex.senderFact(sender)] + facts.sorted())
      .joined(separator: " ")
  }
}
