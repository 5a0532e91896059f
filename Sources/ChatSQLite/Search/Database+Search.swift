import Chat
import FoundationEssentials
import GRDB

/// A message that a member may see, with what is shown of its room.
struct VisibleMessage {
  var message: StoredMessage
  var room: RoomID
  var membership: Membership
  /// The room's own name; empty for a direct one.
  var name: String
  /// The other person of a direct room.
  var peer: Int64?
}

extension Database {
  /// What a member may find: in rooms that he is in now, what he has neither cleared nor hidden and nobody has deleted.
  private static let visibleByNumber = """
    SELECT r.id, r.key, r.kind, r.name, iif(d.low = m.member, d.high, d.low), r.last_seq, m.role, m.read_seq,
      m.delivered_seq, m.cleared_seq, m.joined_seq, \(StoredMessage.columns)
    FROM search_messages n
      JOIN memberships m ON m.room = n.room AND m.member = ?2
      JOIN rooms r ON r.key = n.room
      JOIN messages s ON s.room = n.room AND s.seq = n.seq
      LEFT JOIN direct_rooms d ON d.room = n.room
    WHERE n.number = ?1 AND s.seq > m.cleared_seq AND s.deleted_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM hidden_messages h WHERE h.member = m.member AND h.room = s.room AND h.seq = s.seq)
    """

  /// The message with this number, unless the member may not see it.
  func visibleMessage(_ number: Int64, to member: Int64) throws -> VisibleMessage? {
    try first(Self.visibleByNumber, [number, member]) { row in
      VisibleMessage(
        message: StoredMessage(row, from: 11), room: row.id(0),
        membership: Membership(
          room: row[1], member: member, lastSeq: row[5], readSeq: row[7], deliveredSeq: row[8], clearedSeq: row[9],
          joinedSeq: row[10], kind: Room.Kind(rawValue: row[2]) ?? .group, role: Room.Role(rawValue: row[6]) ?? .member),
        name: row[3], peer: row[4])
    }
  }

  /// The highest number given; 0 before the first.
  func lastNumber() throws -> Int64 {
    try first("SELECT coalesce(max(number), 0) FROM search_messages") { $0[0] } ?? 0
  }

  /// The first number whose message was stored at or after `time`, by halving: times grow with the numbers. Where a
  /// clock was put back it is one of those at which the time passes `time`.
  func firstNumber(since time: Timestamp) throws -> Int64 {
    var (low, high) = (Int64(1), try lastNumber() + 1)
    while low < high {
      let middle = low + (high - low) / 2
      let next = try first(
        """
        SELECT n.number, s.created_at FROM search_messages n JOIN messages s ON s.room = n.room AND s.seq = n.seq
        WHERE n.number >= ? ORDER BY n.number LIMIT 1
        """, [middle]
      ) { (number: $0[0] as Int64, time: $0.time(1)) }
      if let next, next.time < time { low = next.number + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Names in a query

  /// The people that are named: by id, login or name, else by how these begin. Throws `.invalid` where there is nobody.
  func people(named names: [SearchQuery.Name], asker: Int64) throws -> [Int64] {
    var keys: [Int64] = []
    for name in names {
      var found: [Int64] = []
      if name.text.caseFolded == "me" {
        found = [asker]
      } else if let id = UserID(name.text) {
        found = try user(id).map { [$0.key] } ?? []
      } else {
        let text = String(name.text.drop { $0 == "@" }).caseFolded
        found = try all("SELECT key FROM users WHERE login_key = ?1 OR name_key = ?1 LIMIT 50", [text]) { $0[0] }
        if found.isEmpty, !text.isEmpty {
          found = try all(
            """
            SELECT key FROM users
            WHERE instr(login_key, ?1) = 1 OR instr(name_key, ?1) = 1 OR instr(replace(name_key, ' ', ''), ?1) = 1
            LIMIT 50
            """, [text]
          ) { $0[0] }
        }
      }
      guard !found.isEmpty else {
        throw ChatError.invalid([
          FieldError(
            field: name.field, code: "invalid",
            detail: "Nobody here is called \(name.text). Write a login or name, such as from:octocat.")
        ])
      }
      keys += found
    }
    return Array(Set(keys)).sorted()
  }

  /// The rooms that are named among those of a person: by id or name, else by how the name's words begin. Throws
  /// `.invalid` where he is in no such room, whether or not there is one.
  func rooms(named names: [SearchQuery.Name], of member: Int64) throws -> [Int64] {
    let mine = try roomNames(of: member)
    var keys: [Int64] = []
    for name in names {
      let wanted = SearchTokenizer.words(of: name.text)
      var found = mine.filter { $0.id.description == name.text.lowercased() }
      if found.isEmpty { found = mine.filter { SearchTokenizer.words(of: $0.name) == wanted } }
      if found.isEmpty { found = mine.filter { $0.isFound(by: wanted) } }
      guard !found.isEmpty else {
        throw ChatError.invalid([
          FieldError(
            field: name.field, code: "invalid",
            detail: "You are in no chat called \(name.text). Write the name of one of yours, such as in:general.")
        ])
      }
      keys += found.map(\.key)
    }
    return Array(Set(keys)).sorted()
  }

  /// The rooms of a person, at most `limit`.
  func roomKeys(of member: Int64, limit: Int) throws -> [Int64] {
    try all("SELECT room FROM memberships WHERE member = ? ORDER BY room LIMIT ?", [member, limit]) { $0[0] }
  }

  /// A room of a person with the name that it has for him.
  struct NamedRoom {
    var key: Int64
    var id: RoomID
    var name: String
    /// The peer's login, in a direct room.
    var login: String?
    /// Whether it is on his list.
    var isListed: Bool

    /// Whether each word is the beginning of one of the name's, or of the login.
    func isFound(by words: [String]) -> Bool {
      let own = SearchTokenizer.tokens(of: name + " " + (login ?? "")).map(\.text)
      return !words.isEmpty && words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
  }

  /// All rooms of a person, newest first.
  func roomNames(of member: Int64) throws -> [NamedRoom] {
    try all(
      """
      SELECT r.key, r.id, iif(u.key IS NULL, r.name, trim(u.first_name || ' ' || u.last_name)), u.login,
        m.hidden_seq < 0
      FROM memberships m JOIN rooms r ON r.key = m.room
        LEFT JOIN direct_rooms d ON d.room = r.key
        LEFT JOIN users u ON u.key = iif(d.low = m.member, d.high, d.low)
      WHERE m.member = ? ORDER BY max(r.position, m.joined_event) DESC
      """, [member]
    ) { NamedRoom(key: $0[0], id: $0.id(1), name: $0[2], login: $0[3], isListed: $0[4]) }
  }

  /// Public groups that a person is not in, newest first, with how they are named.
  func publicRoomNames(besides member: Int64) throws -> [NamedRoom] {
    try all(
      """
      SELECT r.key, r.id, r.name FROM rooms r INDEXED BY rooms_public
      WHERE r.is_public = 1 AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.room = r.key AND m.member = ?)
      ORDER BY r.position DESC
      """, [member]
    ) { NamedRoom(key: $0[0], id: $0.id(1), name: $0[2], login: nil, isListed: true) }
  }

  // MARK: Words by their parts

  /// Words that contain a text, or end in it; those that were used first, which are the more frequent ones. `text` is a
  /// token of at least three scalars.
  func terms(containing text: String, atEnd: Bool, limit: Int) throws -> [String] {
    try all(
      """
      SELECT t.term FROM search_parts p JOIN search_terms t ON t.key = p.rowid
      WHERE search_parts MATCH ?1 AND (NOT ?2 OR substr(t.term, -length(?3)) = ?3) ORDER BY p.rowid LIMIT ?4
      """, ["\"\(text)\"", atEnd, text, limit]
    ) { $0[0] }
  }
}
