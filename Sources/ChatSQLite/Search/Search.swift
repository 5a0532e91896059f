import Chat
import FoundationEssentials
import GRDB
import Synchronization

extension SQLiteStore {
  package func messages(
    matching query: SearchQuery, for user: UserID, after cursor: SearchCursor?, limit: Int
  ) async throws -> FoundMessages {
    let (time, flag) = (limits.searchTime, CancellationFlag())
    await writer.indexer.catchUp(for: user)
    return try await withTaskCancellationHandler {
      try await readElsewhere { [caches] database in
        // While somebody types, most queued searches are obsolete when their turn comes.
        if flag.isSet { throw CancellationError() }
        let faces = Faces(caches)
        guard let member = try database.user(user)?.key else { throw ChatError.notFound }
        let search = MessageSearch(
          database: database, faces: faces, member: member, query: query, limit: max(1, limit), time: time,
          isAbandoned: { flag.isSet })
        return try search.run(after: cursor)
      }
    } onCancel: {
      flag.set()
    }
  }

  package func rooms(matching text: String, for user: UserID, limit: Int) async throws -> [Room] {
    let words = SearchTokenizer.words(of: text)
    guard !words.isEmpty else { return [] }
    return try await readElsewhere { [caches] database in
      let faces = Faces(caches)
      guard let member = try database.user(user)?.key else { throw ChatError.notFound }
      let mine = try database.roomNames(of: member).filter { $0.isListed && $0.isFound(by: words) }
      let found = try mine.prefix(max(0, limit)).map { try database.room($0.key, for: member, faces) }
      let others = try database.publicRoomNames(besides: member).filter { $0.isFound(by: words) }
      return found
        + (try others.prefix(max(0, limit - found.count)).compactMap { try database.roomForOutsiders($0.key) })
    }
  }
}

/// Tells a thread that its result is no longer needed.
private final class CancellationFlag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}

/// A message visible to a member, with the parts of its room that are shown.
struct VisibleMessage {
  var message: StoredMessage
  var room: RoomID
  var membership: Membership
  /// The group's name; empty for a direct room.
  var name: String
  /// The other person in a direct room.
  var peer: Int64?
  /// Whether it has mentions, reactions or a pin.
  var hasMore: Bool

  /// A row `i` of the index with its message if the member can find it: in rooms they are in now, neither cleared nor
  /// hidden by them, nor deleted. LEFT JOINs return the other rows, too, so that the time limit is checked at each.
  static let ofRow = """
    SELECT i.rowid, s.seq IS NOT NULL, r.id, r.key, r.kind, r.name, iif(d.low = m.member, d.high, d.low), r.last_seq, m.role,
      m.read_seq, m.delivered_seq, m.cleared_seq, m.joined_seq, \(Database.hasMore), \(StoredMessage.columns)
    FROM search_index i
      LEFT JOIN search_messages n ON n.number = i.rowid >> \(SearchIndex.roomBits)
      LEFT JOIN memberships m ON m.room = n.room AND m.member = ?4
      LEFT JOIN rooms r ON r.key = m.room
      LEFT JOIN messages s ON s.room = m.room AND s.seq = n.seq AND s.seq > m.cleared_seq AND s.deleted_at IS NULL
        AND NOT EXISTS (
          SELECT 1 FROM hidden_messages h WHERE h.member = m.member AND h.room = s.room AND h.seq = s.seq)
      LEFT JOIN direct_rooms d ON d.room = m.room
    """

  /// Nil if the member may not see it.
  init?(_ row: ResultRow, member: Int64) {
    guard row[1] else { return nil }
    message = StoredMessage(row, from: 14)
    room = row.id(2)
    membership = Membership(
      room: row[3], member: member, lastSeq: row[7], readSeq: row[9], deliveredSeq: row[10], clearedSeq: row[11],
      joinedSeq: row[12], kind: Room.Kind(rawValue: row[4]) ?? .group, role: Room.Role(rawValue: row[8]) ?? .member)
    name = row[5]
    peer = row[6]
    hasMore = row[13]
  }
}

extension Database {
  /// The highest number given; 0 before the first.
  func lastNumber() throws -> Int64 {
    try first("SELECT coalesce(max(number), 0) FROM search_messages") { $0[0] } ?? 0
  }

  /// The number of the first message stored at or after `time`, by binary search, because times increase with numbers.
  /// If the clock was set back, it is one of the places where the time passes `time`.
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

  /// The people named: by id, login or name, otherwise by a prefix of these. Throws `.invalid` if nobody matches.
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

  /// The rooms named, among those of a person: by id or name, otherwise by prefixes of the name's words. Throws
  /// `.invalid` if they are in no such room, whether or not one exists.
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
            detail: "You have no chat called \(name.text). Write the name of one of yours, such as in:general.")
        ])
      }
      keys += found.map(\.key)
    }
    return Array(Set(keys)).sorted()
  }

  /// A person's rooms, at most `limit`.
  func roomKeys(of member: Int64, limit: Int) throws -> [Int64] {
    try all("SELECT room FROM memberships WHERE member = ? ORDER BY room LIMIT ?", [member, limit]) { $0[0] }
  }

  /// A person's room with its name as they see it.
  struct NamedRoom {
    var key: Int64
    var id: RoomID
    var name: String
    /// The peer's login, if it is a direct room.
    var login: String?
    /// Whether it is on their list.
    var isListed: Bool

    /// Whether each word is a prefix of a word of the name, or of the login.
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

  /// The names of public groups that a person is not in, newest first.
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

  /// Words that contain `text`, or end in it; the earliest used first, which are the more frequent ones. `text` is a
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
