import Chat
import GRDB

/// A change of what a message says.
struct SearchChange {
  var room: Int64
  var seq: Int
  var sender: Int64
  /// What it said; nil for a new message.
  var old: String?
  /// What it says; nil once it is deleted.
  var new: String?

  /// Where it stands from now on, and who wrote it; nil for a message that stays.
  var place: (room: Int64, seq: Int, sender: Int64)?

  init(_ room: Int64, _ seq: Int, sender: Int64, from old: String?, to new: String?) {
    (self.room, self.seq, self.sender, self.old, self.new) = (room, seq, sender, old, new)
  }

  /// A message that goes to another place, or to another sender, as it is; without a text where it is deleted.
  init(
    _ room: Int64, _ seq: Int, sender: Int64, text: String?, movedTo place: (room: Int64, seq: Int, sender: Int64)
  ) {
    self.init(room, seq, sender: sender, from: text, to: text)
    self.place = place
  }
}

/// Writes the full-text index; the caller's transaction holds the messages too.
struct SearchIndex {
  let database: Database
  /// Words that are known to stand in the index.
  var known = KnownTerms()

  /// Tokens begin with the epoch of their message, 2^15 numbers each: newest-first search looks into one after the other,
  /// so that the price of a frequent word or a short prefix is bounded by what an epoch can hold.
  static let epochBits: Int64 = 15

  /// The low bits of the rowid tell the room, so that what stands in others' rooms is passed over without a look at the
  /// message. Beyond 2^24 rooms they repeat, and the look that follows sorts out the rest.
  static let roomBits: Int64 = 24
  static let roomMask: Int64 = (1 << roomBits) - 1

  /// The row of a message; rows are in the order of numbers.
  static func rowid(_ number: Int64, room: Int64) -> Int64 { number << roomBits | room & roomMask }

  /// The number of the message that a row is.
  static func number(of rowid: Int64) -> Int64 { rowid >> roomBits }

  static func epoch(of number: Int64) -> Int64 { number >> epochBits }

  /// What tokens of an epoch begin with: four digits of base 36, enough for 55 thousand million messages.
  static func prefix(of epoch: Int64) -> String {
    let digits = String(epoch, radix: 36)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  // What is not text are tokens that begin with a colon, which no text has.
  static let anyFact = ":m"
  static func roomFact(_ room: Int64) -> String { ":r\(room)" }
  static func senderFact(_ sender: Int64) -> String { ":s\(sender)" }
  static func fact(_ fact: SearchFact) -> String {
    switch fact {
    case .link: ":hl"
    case .code: ":hc"
    case .mention: ":hm"
    }
  }

  /// Brings changes into the index, in their order.
  func apply(_ changes: [SearchChange]) throws {
    var terms: [String: Int64] = [:]
    for change in changes {
      let number = try number(of: change)
      let place = change.place ?? (change.room, change.seq, change.sender)
      if change.place != nil {
        // It keeps its number: newest first stays the order of time.
        try database.run(
          "UPDATE search_messages SET room = ?, seq = ? WHERE number = ?", [place.room, place.seq, number])
      }
      if let old = change.old {
        try save(&terms)
        try remove(IndexedMessage(old, number: number, room: change.room, sender: change.sender))
      }
      if let new = change.new {
        let message = IndexedMessage(new, number: number, room: place.room, sender: place.sender)
        try add(message)
        for term in message.terms where terms[term] == nil && !known.contains(term) { terms[term] = number }
      }
    }
    try save(&terms)
  }

  /// Numbers and indexes all messages of a database that had no index, in the order of time.
  func addAllMessages() throws {
    try database.run(
      "INSERT INTO search_messages (room, seq) SELECT room, seq FROM messages ORDER BY created_at, room, seq")
    var terms: [String: Int64] = [:]
    try database.each(
      """
      SELECT n.number, s.room, s.sender, s.text FROM search_messages n
      JOIN messages s ON s.room = n.room AND s.seq = n.seq
      WHERE s.deleted_at IS NULL ORDER BY n.number
      """
    ) { row in
      let message = IndexedMessage(row[3], number: row[0], room: row[1], sender: row[2])
      try add(message)
      for term in message.terms where terms[term] == nil { terms[term] = message.number }
      if terms.count > 10_000 { try save(&terms) }
    }
    try save(&terms)
  }

  private func number(of change: SearchChange) throws -> Int64 {
    if change.old == nil, change.place == nil {
      try database.run("INSERT INTO search_messages (room, seq) VALUES (?, ?)", [change.room, change.seq])
      return database.lastInsertedRowID
    }
    let number: Int64? = try database.first(
      "SELECT number FROM search_messages WHERE room = ? AND seq = ?", [change.room, change.seq]
    ) { $0[0] }
    guard let number else { throw ChatError.unavailable("The search index misses a message.") }
    return number
  }

  private func add(_ message: IndexedMessage) throws {
    try database.run(
      "INSERT INTO search_index (rowid, words, parts, facts) VALUES (?, ?, ?, ?)",
      [message.rowid, message.words, message.parts, message.facts])
  }

  private func remove(_ message: IndexedMessage) throws {
    try database.run(
      "INSERT INTO search_index (search_index, rowid, words, parts, facts) VALUES ('delete', ?, ?, ?, ?)",
      [message.rowid, message.words, message.parts, message.facts])
    for term in message.terms {
      let key: Int64? = try database.first(
        "SELECT key FROM search_terms WHERE term = ? AND number = ?", [term, message.number]
      ) { $0[0] }
      guard let key else { continue }
      if let other = try anyMessage(with: term) {
        try database.run("UPDATE search_terms SET number = ? WHERE key = ?", [other, key])
      } else {
        try database.run("DELETE FROM search_terms WHERE key = ?", [key])
        known.forget(term)
      }
    }
  }

  /// The number of a message that has this word; nil where there is none any more.
  private func anyMessage(with term: String) throws -> Int64? {
    let last = try database.first("SELECT max(number) FROM search_messages") { $0[0] as Int64? } ?? nil
    let epochs = (0...SearchIndex.epoch(of: last ?? 0)).map { "\"\(SearchIndex.prefix(of: $0))\(term)\"" }
    return try database.first(
      "SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT 1",
      [epochs.joined(separator: " OR ")]
    ) { SearchIndex.number(of: $0[0]) }
  }

  /// Adds the words that are new, with the message that brought them.
  private func save(_ terms: inout [String: Int64]) throws {
    guard !terms.isEmpty else { return }
    // Tokens are letters, digits and marks: nothing that JSON escapes.
    let json =
      "{" + terms.sorted { $0.value < $1.value }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    try database.run(
      "INSERT OR IGNORE INTO search_terms (term, number) SELECT key, value FROM json_each(?)", [json])
    known.add(terms.keys)
    terms.removeAll(keepingCapacity: true)
  }
}

/// A message as the index holds it.
struct IndexedMessage {
  let number: Int64
  let rowid: Int64
  /// The words in their order, for phrases.
  let words: String
  /// The parts of words.
  let parts: String
  /// What is asked for by filters.
  let facts: String
  /// The longer words, whose parts can be looked for.
  let terms: Set<String>

  /// The shortest word with parts; one of three letters has none but itself.
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
