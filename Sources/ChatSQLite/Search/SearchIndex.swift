import Chat
import GRDB

/// Updates the full-text index from the marks that changed messages leave. Marks, index and words change in one
/// transaction, the caller's.
struct SearchIndex {
  let database: Database
  /// Words that the index is known to contain.
  var known = KnownTerms()

  /// The maximum number of words added at once, at some tens of microseconds each; the others wait in `search_words`.
  private static let wordsAtOnce = 40
  /// The number of marks of new messages read at once, with their texts.
  private static let marksAtOnce = 8
  /// A longer text is removed and added in two portions, each of which is all that is done at once. In bytes.
  fileprivate static let longText = 2000

  /// Tokens start with their message's epoch, a block of 2^15 numbers. A newest-first search goes through the epochs
  /// one by one, so the cost of a frequent word or a short prefix is bounded by the size of an epoch.
  static let epochBits: Int64 = 15

  /// The low bits of the rowid identify the room, so that rows of other rooms are skipped without reading the message.
  /// Beyond 2^24 rooms they repeat, and reading the message filters out the rest.
  static let roomBits: Int64 = 24
  static let roomMask: Int64 = (1 << roomBits) - 1

  /// A message's rowid; rowids increase with numbers.
  static func rowid(_ number: Int64, room: Int64) -> Int64 { number << roomBits | room & roomMask }

  /// The number of the message with this rowid.
  static func number(of rowid: Int64) -> Int64 { rowid >> roomBits }

  static func epoch(of number: Int64) -> Int64 { number >> epochBits }

  /// The prefix of an epoch's tokens: four base-36 digits, enough for 55 billion messages.
  static func prefix(of epoch: Int64) -> String {
    let digits = String(epoch, radix: 36)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  // Tokens that are not text start with a colon, which text tokens never contain.
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

  /// Processes marks until `isLate` returns true, but at least one. Returns whether marks are left.
  func workOff(until isLate: () -> Bool) throws -> Bool {
    var isFirst = true
    while let mark = try nextChanged() {
      if mark.isLong, !isFirst { return true }
      isFirst = false
      if try workOff(mark) || isLate() { return true }
    }
    var terms: [String: Int64] = [:]
    var (hasMore, isOver) = (true, false)
    repeat {
      let marks = try nextAdded()
      var done: EventID?
      for mark in marks {
        isOver = mark.isLong && !isFirst
        if isOver { break }
        isFirst = false
        try workOff(mark, &terms)
        done = mark.event
        isOver = mark.isLong || isLate()
        if isOver { break }
      }
      if let done { try database.run("DELETE FROM search_added WHERE event <= ?", [done]) }
      hasMore = marks.count == Self.marksAtOnce || done != marks.last?.event
    } while hasMore && !isOver
    try save(terms)
    if hasMore || isOver { return true }
    return try lookAfterWords(until: isLate)
  }

  /// The event up to which every new message is indexed, provided nothing else is marked; nil if nothing is marked.
  func firstMarkedEvent() throws -> EventID? {
    if try database.exists("SELECT 1 FROM search_changed", []) { return 0 }
    return try database.first("SELECT event FROM search_added ORDER BY event LIMIT 1") { $0[0] }
  }

  // MARK: New messages

  private struct AddedMark {
    var event: EventID
    var room: Int64
    var seq: Int
    var sender: Int64?
    /// Nil if the message has been deleted since.
    var text: String?
    var isLong: Bool { text.map { $0.utf8.count > SearchIndex.longText } ?? false }
  }

  private func nextAdded() throws -> [AddedMark] {
    try database.all(
      """
      SELECT a.event, a.room, a.seq, s.sender, iif(s.deleted_at IS NULL, s.text, NULL)
      FROM search_added a LEFT JOIN messages s ON s.room = a.room AND s.seq = a.seq ORDER BY a.event LIMIT ?
      """, [Self.marksAtOnce]
    ) { AddedMark(event: $0[0], room: $0[1], seq: $0[2], sender: $0[3], text: $0[4]) }
  }

  /// Numbers a message and indexes its text, if it still has one.
  private func workOff(_ mark: AddedMark, _ terms: inout [String: Int64]) throws {
    guard let sender = mark.sender else { return }
    try database.run("INSERT OR IGNORE INTO search_messages (room, seq) VALUES (?, ?)", [mark.room, mark.seq])
    guard database.changesCount > 0, let text = mark.text else { return }
    let message = IndexedMessage(text, number: database.lastInsertedRowID, room: mark.room, sender: sender)
    try add(message)
    let new = message.terms.filter { terms[$0] == nil && !known.contains($0) }
    // The new words of a long message are as much work again.
    if mark.isLong { return try queue(new) }
    for term in new { terms[term] = message.number }
  }

  // MARK: Changed messages

  private struct ChangedMark {
    var number: Int64
    /// The indexed content; nil if there is none.
    var text: String?
    var isLong: Bool { text.map { $0.utf8.count > SearchIndex.longText } ?? false }
    var room: Int64
    var sender: Int64
  }

  private func nextChanged() throws -> ChangedMark? {
    try database.first("SELECT number, text, room, sender FROM search_changed ORDER BY number LIMIT 1") {
      ChangedMark(number: $0[0], text: $0[1], room: $0[2], sender: $0[3])
    }
  }

  /// Removes the indexed content of a message, and indexes the message as it is now. Returns whether that is enough to do
  /// at once.
  private func workOff(_ mark: ChangedMark) throws -> Bool {
    if let text = mark.text {
      try remove(IndexedMessage(text, number: mark.number, room: mark.room, sender: mark.sender))
      if mark.isLong {
        try database.run("UPDATE search_changed SET text = NULL WHERE number = ?", [mark.number])
        return true
      }
    }
    let present = try database.first(
      """
      SELECT s.text, s.room, s.sender FROM search_messages n JOIN messages s ON s.room = n.room AND s.seq = n.seq
      WHERE n.number = ? AND s.deleted_at IS NULL
      """, [mark.number]
    ) { IndexedMessage($0[0], number: mark.number, room: $0[1], sender: $0[2]) }
    try database.run("DELETE FROM search_changed WHERE number = ?", [mark.number])
    guard let present else { return false }
    try add(present)
    let new = present.terms.filter { !known.contains($0) }
    if new.count > Self.wordsAtOnce {
      try queue(new)
      return true
    }
    try save(Dictionary(uniqueKeysWithValues: new.map { ($0, mark.number) }))
    return false
  }

  /// Merges segments of the index, about `pages` pages. Returns whether there may be more to merge.
  func merge(pages: Int) throws -> Bool {
    let before = database.totalChangesCount
    for table in ["search_index", "search_parts"] {
      try database.run("INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", [pages])
    }
    // One change each is the command itself ("The 'merge' Command", sqlite.org/fts5.html).
    return database.totalChangesCount - before >= 4
  }

  func add(_ message: IndexedMessage) throws {
    try database.run(
      "INSERT INTO search_index (rowid, words, parts, facts) VALUES (?, ?, ?, ?)",
      [message.rowid, message.words, message.parts, message.facts])
  }

  private func remove(_ message: IndexedMessage) throws {
    try database.run(
      "INSERT INTO search_index (search_index, rowid, words, parts, facts) VALUES ('delete', ?, ?, ?, ?)",
      [message.rowid, message.words, message.parts, message.facts])
    if message.terms.count > Self.wordsAtOnce { return try queue(message.terms) }
    for term in message.terms {
      let isNamed = try database.exists(
        "SELECT 1 FROM search_terms WHERE term = ? AND number = ?", [term, message.number])
      if isNamed { try lookAfter(term) }
    }
  }

  // MARK: Words

  /// Makes `search_terms` agree with the index about a word.
  private func lookAfter(_ term: String) throws {
    let present = try database.first("SELECT key, number FROM search_terms WHERE term = ?", [term]) {
      (key: $0[0] as Int64, number: $0[1] as Int64)
    }
    let number = try anyMessage(with: term)
    switch (present, number) {
    case (nil, nil): break
    case (nil, let number?): try insert([term: number])
    case (let present?, let number?):
      if present.number != number {
        try database.run("UPDATE search_terms SET number = ? WHERE key = ?", [number, present.key])
      }
    case (let present?, nil):
      try database.run("DELETE FROM search_terms WHERE key = ?", [present.key])
      known.forget(term)
    }
  }

  /// Checks queued words, at least one, until `isLate` returns true: a word may take a fifth of a millisecond. Returns
  /// whether more are queued.
  private func lookAfterWords(until isLate: () -> Bool) throws -> Bool {
    while true {
      let first = try database.first("SELECT key, words FROM search_words ORDER BY key LIMIT 1") {
        (key: $0[0] as Int64, words: $0[1] as String)
      }
      guard let first else { return false }
      var words = first.words.split(separator: " ")[...]
      while let word = words.popFirst() {
        try lookAfter(String(word))
        if isLate() { break }
      }
      if !words.isEmpty {
        try database.run(
          "UPDATE search_words SET words = ? WHERE key = ?", [words.joined(separator: " "), first.key])
        return true
      }
      try database.run("DELETE FROM search_words WHERE key = ?", [first.key])
      if isLate() { return true }
    }
  }

  private func queue(_ words: some Sequence<String>) throws {
    try database.run("INSERT INTO search_words (words) VALUES (?)", [words.sorted().joined(separator: " ")])
  }

  /// The number of a message that contains this word; nil if there is none.
  private func anyMessage(with term: String) throws -> Int64? {
    let last = try database.first("SELECT max(number) FROM search_messages") { $0[0] as Int64? } ?? nil
    let epochs = (0...SearchIndex.epoch(of: last ?? 0)).map { "\"\(SearchIndex.prefix(of: $0))\(term)\"" }
    return try database.first(
      "SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT 1",
      [epochs.joined(separator: " OR ")]
    ) { SearchIndex.number(of: $0[0]) }
  }

  /// Adds words, each with the message it came from: some at once, the others later.
  private func save(_ terms: [String: Int64]) throws {
    let sorted = terms.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    try insert(Dictionary(uniqueKeysWithValues: sorted.prefix(Self.wordsAtOnce).map { ($0.key, $0.value) }))
    if sorted.count > Self.wordsAtOnce { try queue(sorted.dropFirst(Self.wordsAtOnce).map(\.key)) }
  }

  func insert(_ terms: [String: Int64]) throws {
    guard !terms.isEmpty else { return }
    // Tokens consist of letters, digits and marks, which JSON does not escape.
    let json =
      "{"
      + terms.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}"
    try database.run(
      "INSERT OR IGNORE INTO search_terms (term, number) SELECT key, value FROM json_each(?)", [json])
    known.add(terms.keys)
  }
}
