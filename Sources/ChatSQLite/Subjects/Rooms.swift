import Chat
import FoundationEssentials
import GRDB

extension SQLiteStore {
  package func openDirectRoom(
    of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp
  ) async throws -> (room: Room, isNew: Bool) {
    // Opening a chat with a person usually finds an existing one, which needs no commit.
    let known: Room? = try read { database in
      let pair = try database.pair(user, peer)
      return try database.directRoom(pair.user, pair.peer).map { try database.room($0, for: pair.user) }
    }
    if let known, !known.isWaiting { return (known, false) }
    return try await write { try $0.openDirectRoom(of: user, with: peer, newID: newID, at: time) }
  }

  package func room(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room> {
    try read { database in
      let faces = Faces(caches)
      let membership = try database.membership(in: id, of: user)
      return try database.snapshot(database.room(membership.room, for: membership.member, faces))
    }
  }

  package func rooms(of user: UserID, after cursor: RoomCursor?, limit: Int) async throws -> Snapshot<[Room]> {
    // The whole list is sorted before its first page is cut off: many rooms are not for a loop.
    let found = try read { try $0.rooms(of: user, atMost: 100, after: cursor, limit: limit, Faces(caches)) }
    if let found { return found }
    let all = try await readElsewhere { [caches] database in
      try database.rooms(of: user, atMost: .max, after: cursor, limit: limit, Faces(caches))
    }
    guard let all else { throw ChatError.notFound }
    return all
  }
}

/// A person's membership of a room: the proof that they may read it, and their pointers.
struct Membership {
  var room: Int64
  var member: Int64
  var lastSeq: Int
  var readSeq: Int
  var deliveredSeq: Int
  /// The member sees only newer messages.
  var clearedSeq: Int
  /// And only newer changes; 0 where no changes are read.
  var clearedChange: EventID = 0
  /// Messages up to here were in the room before the member joined.
  var joinedSeq: Int
  var kind: Room.Kind
  var role: Room.Role
  /// Whether the member removed the room from their list.
  var isHidden = false

  /// The lowest number that the member can see; greater than `lastSeq` if there is nothing to see.
  var firstSeq: Int { clearedSeq + 1 }

  /// Whether the member is an owner or admin, who may also manage others' messages and pins.
  var isModerator: Bool { kind == .group && role != .member }
}

extension Database {
  /// A person's membership; throws `.notFound` if the room or the person does not exist, or they are not a member.
  func membership(in room: RoomID, of user: UserID) throws -> Membership {
    let found = try first(
      """
      SELECT r.key, m.member, r.last_seq, m.read_seq, m.delivered_seq, m.cleared_seq, m.joined_seq, r.kind,
        m.role, m.cleared_change, m.hidden_seq >= 0
      FROM rooms r JOIN users u ON u.id = ?2 JOIN memberships m ON m.room = r.key AND m.member = u.key
      WHERE r.id = ?1
      """, [room, user]
    ) {
      Membership(
        room: $0[0], member: $0[1], lastSeq: $0[2], readSeq: $0[3], deliveredSeq: $0[4], clearedSeq: $0[5],
        clearedChange: $0[9], joinedSeq: $0[6], kind: Room.Kind(rawValue: $0[7]) ?? .group,
        role: Room.Role(rawValue: $0[8]) ?? .member, isHidden: $0[10])
    }
    guard let found else { throw ChatError.notFound }
    return found
  }

  func memberIDs(of room: Int64) throws -> [UserID] {
    try all(
      "SELECT u.id FROM memberships m JOIN users u ON u.key = m.member WHERE m.room = ? ORDER BY m.member", [room]
    ) { $0.id(0) }
  }

  /// The direct room of two people, in either order.
  func directRoom(_ one: Int64, _ other: Int64) throws -> Int64? {
    try first("SELECT room FROM direct_rooms WHERE low = ? AND high = ?", [min(one, other), max(one, other)]) { $0[0] }
  }

  /// A room as its member sees it.
  func room(_ room: Int64, for member: Int64, _ faces: Faces = Faces()) throws -> Room {
    let page = "WITH page (room, member) AS (SELECT room, member FROM memberships WHERE room = ? AND member = ?)"
    guard let found = try rooms(page, [room, member], faces).first else { throw ChatError.notFound }
    return found
  }

  /// As below, with the newest event included; nil if the person is in more than `most` rooms.
  fileprivate func rooms(
    of user: UserID, atMost most: Int, after cursor: RoomCursor?, limit: Int, _ faces: Faces
  ) throws -> Snapshot<[Room]>? {
    guard let member = try self.user(user)?.key else { throw ChatError.notFound }
    if most < .max, try roomKeys(of: member, limit: most + 1).count > most { return nil }
    return try snapshot(rooms(of: member, after: cursor, limit: limit, faces))
  }

  /// The rooms on a person's list, pinned ones first, then the newest. The page is selected before anything is counted
  /// or joined.
  func rooms(of member: Int64, after cursor: RoomCursor?, limit: Int, _ faces: Faces) throws -> [Room] {
    try rooms(
      """
      WITH page (room, member) AS (
        SELECT m.room, m.member FROM memberships m JOIN rooms r ON r.key = m.room
        WHERE m.member = ? AND m.hidden_seq < 0 AND (m.is_pinned, max(r.position, m.joined_event)) < (?, ?)
        ORDER BY m.is_pinned DESC, max(r.position, m.joined_event) DESC LIMIT ?)
      """, [member, cursor?.isPinned ?? true, cursor?.position ?? EventID.max, max(0, limit)], faces)
  }

  /// How many messages after the pointer are searched for the person's own, which takes some milliseconds. Nobody who has
  /// more than these to read needs the exact number.
  static let ownUnreadRange = 10_000

  /// The unread count is computed from the numbers: all after the pointer, minus deleted and hidden messages among them;
  /// `ownUnread` has the person's own. CROSS JOIN keeps SQLite from starting with all unread messages instead of the few
  /// hidden ones.
  static let roomsOfPage = """
    SELECT r.id, r.kind, r.name, r.topic, r.last_seq, r.created_at, r.updated_at,
      m.role, m.is_muted, m.is_pinned, m.read_seq, m.draft,
      r.members_count,
      max(0, r.last_seq - max(m.read_seq, m.cleared_seq))
        - (SELECT count(*) FROM messages x INDEXED BY messages_deleted WHERE x.room = r.key
            AND x.seq > max(m.read_seq, m.cleared_seq) AND x.deleted_at IS NOT NULL)
        - (SELECT count(*) FROM hidden_messages h CROSS JOIN messages y ON y.room = h.room AND y.seq = h.seq
            WHERE h.member = m.member AND h.room = r.key AND h.seq > max(m.read_seq, m.cleared_seq)
              AND y.sender <> m.member AND y.deleted_at IS NULL),
      iif(d.low = m.member, d.high, d.low), r.is_public, r.picture, m.hidden_seq >= 0, m.mention_level, m.cleared_seq,
      (SELECT count(*) FROM mentions n
        WHERE n.member = m.member AND n.room = r.key AND n.seq > max(m.read_seq, m.cleared_seq) AND NOT EXISTS (
          SELECT 1 FROM hidden_messages h WHERE h.member = m.member AND h.room = n.room AND h.seq = n.seq)),
      max(r.position, m.joined_event), r.key,
      EXISTS (SELECT 1 FROM mentions n INDEXED BY mentions_by_message WHERE n.room = s.room AND n.seq = s.seq),
      m.cleared_change, r.repository, iif(m.has_own_unread, m.member, NULL), \(StoredMessage.columns)
    FROM page p JOIN rooms r ON r.key = p.room JOIN memberships m ON m.room = p.room AND m.member = p.member
      LEFT JOIN direct_rooms d ON d.room = r.key
      LEFT JOIN messages s ON s.room = r.key AND s.seq = (
        SELECT v.seq FROM messages v WHERE v.room = r.key AND v.seq > m.cleared_seq AND NOT EXISTS (
          SELECT 1 FROM hidden_messages h WHERE h.member = m.member AND h.room = v.room AND h.seq = v.seq)
        ORDER BY v.seq DESC LIMIT 1)
    ORDER BY m.is_pinned DESC, max(r.position, m.joined_event) DESC
    """

  /// The person's own messages among the next ones after a number; they are there only if others' were unread when they
  /// were sent. Numbers have no gaps, so a LIMIT ends the range: for an upper bound SQLite would read each message whole.
  static let ownUnread = """
    SELECT count(*) FROM (SELECT room, sender, deleted_at FROM messages WHERE (room, seq) > (?1, ?2) LIMIT ?3)
    WHERE room = ?1 AND sender = ?4 AND deleted_at IS NULL
    """

  private func rooms(_ page: String, _ arguments: Arguments, _ faces: Faces) throws -> [Room] {
    let rows = try all(page + Self.roomsOfPage, arguments) { row in
      (
        key: row[22] as Int64, room: Self.decodeRoom(row), peer: row[14] as Int64?,
        message: row.isNull(27) ? nil : StoredMessage(row, from: 27), mentions: row[23] as Bool,
        own: row[26] as Int64?
      )
    }
    return try rows.map { row in
      var room = row.room
      if let peer = row.peer {
        let peer = try faces.face(peer, in: self)
        room.peer = peer.user
        room.name = peer.name
      }
      if let own = row.own {
        let pointer = max(room.readSeq, room.clearedSeq)
        let range = min(room.lastSeq - pointer, Self.ownUnreadRange)
        room.unreadCount -= try first(Self.ownUnread, [row.key, pointer, max(0, range), own]) { $0[0] } ?? 0
      }
      if let stored = row.message {
        var message = try message(stored, in: room.id, faces)
        if row.mentions { message.mentions = try mentions(row.key, stored.seq...stored.seq)[stored.seq] ?? [] }
        room.lastMessage = message
      }
      return room
    }
  }

  private static func decodeRoom(_ row: ResultRow) -> Room {
    Room(
      id: row.id(0), kind: Room.Kind(rawValue: row[1]) ?? .group, name: row[2], topic: row[3], isPublic: row[15],
      repository: row.repository(25), picture: row.picture(16), membersCount: row[12],
      role: Room.Role(rawValue: row[7]) ?? .member, isMuted: row[8],
      isPinned: row[9], isHidden: row[17], mentionLevel: Room.MentionLevel(rawValue: row[18]) ?? .all,
      lastSeq: row[4], readSeq: row[10], clearedSeq: row[19],
      clearedChange: row[24], unreadCount: row[13], mentionCount: row[20],
      draft: row[11], createdAt: row.time(5), updatedAt: row.time(6), position: row[21])
  }
}

extension Database {
  /// How far each member has received and read a room, as `viewer` may see it, in the order of their ids. Messages from
  /// before a member joined do not count as received or read by them.
  func receipts(of room: Int64, _ id: RoomID, for viewer: Int64) throws -> [Receipt] {
    let showsReading = try settings(of: viewer).readReceipts
    return try all(
      """
      SELECT u.id, iif(u.key = ?2 OR m.delivered_seq > m.joined_seq, m.delivered_seq, 0),
        iif(u.key = ?2 OR (m.read_seq > m.joined_seq AND u.shows_reading AND ?3), m.read_seq, 0)
      FROM memberships m JOIN users u ON u.key = m.member WHERE m.room = ?1 ORDER BY u.id
      """, [room, viewer, showsReading]
    ) { Receipt(roomID: id, userID: $0.id(0), deliveredSeq: $0[1], readSeq: $0[2]) }
  }
}

extension WriteTransaction {
  func openDirectRoom(
    of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp
  ) throws -> (room: Room, isNew: Bool) {
    let pair = try database.pair(user, peer)
    if let room = try database.directRoom(pair.user, pair.peer) {
      if try database.room(room, for: pair.user).isWaiting {
        try database.run(
          "UPDATE memberships SET hidden_seq = -1, joined_event = ? WHERE room = ? AND member = ?",
          [try database.lastEventID() + 1, room, pair.user])
        try logRoom(Event.roomCreated, room, reader: pair.user, user)
      }
      return (try database.room(room, for: pair.user), false)
    }
    try database.run(
      """
      INSERT INTO rooms (id, kind, name, topic, last_seq, created_at, updated_at, position)
      VALUES (?, 'direct', '', '', 0, ?, ?, ?)
      """, [newID, time.milliseconds, time.milliseconds, database.lastEventID() + 1])
    let room = database.lastInsertedRowID
    try database.run(
      "INSERT INTO direct_rooms (low, high, room) VALUES (?, ?, ?)",
      [min(pair.user, pair.peer), max(pair.user, pair.peer), room])
    // The peer hears of it with the first message.
    try database.run(
      """
      INSERT INTO memberships (room, member, role, hidden_seq) VALUES (?1, ?2, 'member', -1), (?1, ?3, 'member', 0)
      """, [room, pair.user, pair.peer])
    audiences.forget(room)
    try logRoom(Event.roomCreated, room, reader: pair.user, user)
    return (try database.room(room, for: pair.user), true)
  }
}

extension Database {
  /// The keys of two different people.
  func pair(_ user: UserID, _ peer: UserID) throws -> (user: Int64, peer: Int64) {
    guard user != peer else {
      throw ChatError.invalid([
        FieldError(field: "user_id", code: "invalid", detail: "You cannot open a chat with yourself.")
      ])
    }
    guard let user = try self.user(user)?.key, let peer = try self.user(peer)?.key else { throw ChatError.notFound }
    return (user, peer)
  }
}
