import GRDB

/// Building the whole index, and comparing it with the messages.
extension SearchIndex {
  /// Numbers and indexes all messages of a database without an index, in chronological order.
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
      if terms.count > 10_000 {
        try insert(terms)
        terms.removeAll(keepingCapacity: true)
      }
    }
    try insert(terms)
  }

  /// Clears the index and indexes all messages again.
  func rebuild() throws {
    for table in ["search_index", "search_parts"] {
      try database.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
    }
    // Drops the trigger, which would look up each word in parts that no longer exist.
    let trigger = try database.first("SELECT sql FROM sqlite_schema WHERE name = 'search_terms_gone'") {
      $0[0] as String
    }
    try database.run("DROP TRIGGER search_terms_gone")
    for table in ["search_terms", "search_messages", "search_added", "search_changed", "search_words"] {
      try database.run("DELETE FROM \(table)")
    }
    if let trigger { try database.run(trigger) }
    known.forgetAll()
    try addAllMessages()
  }

  /// Differences between the index and the messages, one line each: messages neither indexed nor marked, and rows
  /// without a message.
  func findings(limit: Int) throws -> [String] {
    guard try database.tableExists("search_added") else { return [] }
    let rows = "(n.number << \(Self.roomBits)) | (n.room & \(Self.roomMask))"
    let messages = """
      SELECT \(rows) FROM search_messages n JOIN messages s ON s.room = n.room AND s.seq = n.seq
      WHERE s.deleted_at IS NULL AND n.number NOT IN (SELECT number FROM search_changed)
      """
    let indexed = """
      SELECT rowid FROM search_index WHERE search_index MATCH '"\(Self.anyFact)"'
      AND rowid >> \(Self.roomBits) NOT IN (SELECT number FROM search_changed)
      """
    let missing = try database.all("\(messages) EXCEPT \(indexed) LIMIT ?", [limit]) { $0[0] as Int64 }
    let surplus = try database.all("\(indexed) EXCEPT \(messages) LIMIT ?", [limit]) { $0[0] as Int64 }
    let unnumbered = try database.all(
      """
      SELECT room || ' ' || seq FROM messages WHERE deleted_at IS NULL
      EXCEPT SELECT room || ' ' || seq FROM search_messages EXCEPT SELECT room || ' ' || seq FROM search_added LIMIT ?
      """, [limit]
    ) { $0[0] as String }
    return missing.map { "search finds every message: number \(Self.number(of: $0)) is missing" }
      + unnumbered.map { "search finds every message: message \($0) is missing" }
      + surplus.map { "search finds nothing but messages: number \(Self.number(of: $0)) is too much" }
  }
}
