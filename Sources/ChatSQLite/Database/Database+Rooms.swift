import Chat
import FoundationEssentials
import GRDB

/// A person's membership of a room: the proof that he may ask, and his pointers.
struct Membership {
  var room: Int64
  var member: Int64
  var lastSeq: Int
  var readSeq: Int
  var deliveredSeq: Int
  /// The member sees only what is newer.
  var clearedSeq: Int
  /// What is up to here was in the room before the member.
  var joinedSeq: Int
  var kind: Room.Kind
  var role: Room.Role

  /// The lowest number that the member can see; above `lastSeq` where there is nothing to see.
  var firstSeq: Int { clearedSeq + 1 }

  /// Whether the member looks after the room: what others wrote and pinned is his business too.
  var isModerator: Bool { kind == .group && role != .member }
}

extension Database {
  /// The membership of a person; `.notFound` for whoever has none, be the room or the person missing or not theirs.
  func membership(in room: RoomID, of user: UserID) throws -> Membership {
    let found = try first(
      """
      SELECT r.key, m.member, r.last_seq, m.read_seq, m.delivered_seq, m.cleared_seq, m.joined_seq, r.kind,
        m.role
      FROM rooms r JOIN users u ON u.id = ?2 JOIN memberships m ON m.room = r.key AND m.member = u.key
      WHERE r.id = ?1
      """, [room, user]
    ) {
      Membership(
        room: $0[0], member: $0[1], lastSeq: $0[2], readSeq: $0[3], deliveredSeq: $0[4], clearedSeq: $0[5],
        joinedSeq: $0[6], kind: Room.Kind(rawValue: $0[7]) ?? .group, role: Room.Role(rawValue: $0[8]) ?? .member)
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
  func room(_ room: Int64, for member: Int64) throws -> Room {
    let page = "WITH page (room, member) AS (SELECT room, member FROM memberships WHERE room = ? AND member = ?)"
    guard let found = try rooms(page, [room, member]).first else { throw ChatError.notFound }
    return found
  }

  /// The rooms on a person's list, pinned ones first, then the newest. The page is chosen before anything is counted or
  /// joined.
  func rooms(of member: Int64, after cursor: RoomCursor?, limit: Int) throws -> [Room] {
    try rooms(
      """
      WITH page (room, member) AS (
        SELECT m.room, m.member FROM memberships m JOIN rooms r ON r.key = m.room
        WHERE m.member = ? AND m.hidden_seq < 0 AND (m.is_pinned, max(r.position, m.joined_event)) < (?, ?)
        ORDER BY m.is_pinned DESC, max(r.position, m.joined_event) DESC LIMIT ?)
      """, [member, cursor?.isPinned ?? true, cursor?.position ?? EventID.max, max(0, limit)])
  }

  /// So many messages after the pointer are looked through for one's own, some milliseconds: whoever marks a longer
  /// history as unread has no use for the exact number.
  static let ownUnreadRange = 10_000

  /// Unread is arithmetic on the numbers: all after the pointer, less one's own, the deleted and the hidden ones among
  /// them. Own ones stand there only after a mark as unread, since sending moves the pointer, and are counted only then.
  /// CROSS JOIN keeps SQLite from beginning with all unread messages instead of the few hidden ones.
  static let roomsOfPage = """
    SELECT r.id, r.kind, r.name, r.topic, r.last_seq, r.created_at, r.updated_at,
      m.role, m.is_muted, m.is_pinned, m.read_seq, m.draft,
      r.members_count,
      max(0, r.last_seq - max(m.read_seq, m.cleared_seq))
        - iif(m.has_own_unread, (SELECT count(*) FROM messages o WHERE o.room = r.key
            AND o.seq > max(m.read_seq, m.cleared_seq) AND o.seq <= max(m.read_seq, m.cleared_seq) + \(ownUnreadRange)
            AND o.sender = m.member AND o.deleted_at IS NULL), 0)
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
      \(StoredMessage.columns)
    FROM page p JOIN rooms r ON r.key = p.room JOIN memberships m ON m.room = p.room AND m.member = p.member
      LEFT JOIN direct_rooms d ON d.room = r.key
      LEFT JOIN messages s ON s.room = r.key AND s.seq = (
        SELECT v.seq FROM messages v WHERE v.room = r.key AND v.seq > m.cleared_seq AND NOT EXISTS (
          SELECT 1 FROM hidden_messages h WHERE h.member = m.member AND h.room = v.room AND h.seq = v.seq)
        ORDER BY v.seq DESC LIMIT 1)
    ORDER BY m.is_pinned DESC, max(r.position, m.joined_event) DESC
    """

  private func rooms(_ page: String, _ arguments: Arguments) throws -> [Room] {
    let rows = try all(page + Self.roomsOfPage, arguments) { row in
      (
        key: row[22] as Int64, room: Self.decodeRoom(row), peer: row[14] as Int64?,
        message: row.isNull(23) ? nil : StoredMessage(row, from: 23)
      )
    }
    var people = PeopleSeen()
    return try rows.map { row in
      var room = row.room
      if let peer = row.peer {
        let peer = try people.user(peer, in: self)
        room.peer = peer
        room.name = peer.name
      }
      if let stored = row.message {
        var message = try message(stored, in: room.id, &people)
        message.mentions = try mentions(row.key, stored.seq...stored.seq)[stored.seq] ?? []
        room.lastMessage = message
      }
      return room
    }
  }

  private static func decodeRoom(_ row: ResultRow) -> Room {
    Room(
      id: row.id(0), kind: Room.Kind(rawValue: row[1]) ?? .group, name: row[2], topic: row[3], isPublic: row[15],
      picture: row.picture(16), membersCount: row[12], role: Room.Role(rawValue: row[7]) ?? .member, isMuted: row[8],
      isPinned: row[9], isHidden: row[17], mentionLevel: Room.MentionLevel(rawValue: row[18]) ?? .all,
      lastSeq: row[4], readSeq: row[10], clearedSeq: row[19], unreadCount: row[13], mentionCount: row[20],
      draft: row[11], createdAt: row.time(5), updatedAt: row.time(6), position: row[21])
  }
}

extension Database {
  /// How far each member has received and read a room, as `viewer` may see it (S6), in the order of their ids. What was
  /// there before somebody came is not told to others as received and read by him.
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
