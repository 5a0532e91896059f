import Chat
import GRDB

extension SQLiteStore {
  package func changes(
    in room: RoomID, for user: UserID, _ range: RoomChangeRange, limit: Int
  ) async throws -> Snapshot<RoomChangePage> {
    try read { database in
      let faces = Faces(caches)
      let membership = try database.membership(in: room, of: user)
      return try database.snapshot(database.changes(range, limit: limit, in: room, visibleTo: membership, faces))
    }
  }
}

extension Database {
  /// `?3` and `?4` are the places between which they lie, by number, `?5` and `?6` by time.
  private static let changesByRange = """
    SELECT id, at, kind, actor, subject, text, message_seq FROM room_changes
    WHERE room = ?1 AND id > ?2 AND id > ?3 AND id < ?4 AND at > ?5 AND at < ?6 ORDER BY id
    """
  private static let changeBeyond = "SELECT 1 FROM room_changes WHERE room = ? AND id > ? AND id < ? LIMIT 1"

  /// A page of the changes visible to the member. A room keeps few enough that times need no index.
  fileprivate func changes(
    _ range: RoomChangeRange, limit: Int, in room: RoomID, visibleTo membership: Membership, _ faces: Faces
  ) throws -> RoomChangePage {
    var (low, high, since, until) = (EventID.min, EventID.max, Int64.min, Int64.max)
    var isAscending = false
    switch range {
    case .newest: break
    case .before(.change(let id)): high = id
    case .before(.time(let time)): until = time.milliseconds
    case .after(.change(let id)): (low, isAscending) = (id, true)
    case .after(.time(let time)): (since, isAscending) = (time.milliseconds, true)
    }
    var changes = try all(
      Self.changesByRange + (isAscending ? " ASC" : " DESC") + " LIMIT ?7",
      [membership.room, membership.clearedChange, low, high, since, until, min(max(limit, 1), 200)]
    ) { row in
      (
        id: row[0] as EventID, at: row.time(1), kind: row[2] as String, actor: row[3] as Int64,
        subject: row[4] as Int64?, text: row[5] as String?, messageSeq: row[6] as Int?
      )
    }
    if !isAscending { changes.reverse() }
    guard let first = changes.first?.id, let last = changes.last?.id else {
      return RoomChangePage(changes: [], hasEarlier: false, hasLater: false)
    }
    return RoomChangePage(
      changes: try changes.compactMap { row in
        guard let kind = RoomChange.Kind(rawValue: row.kind) else { return nil }
        return RoomChange(
          id: row.id, roomID: room, at: row.at, kind: kind, by: try faces.face(row.actor, in: self),
          user: try row.subject.map { try faces.face($0, in: self) }, text: row.text, messageSeq: row.messageSeq)
      },
      hasEarlier: try exists(Self.changeBeyond, [membership.room, membership.clearedChange, first]),
      hasLater: try exists(Self.changeBeyond, [membership.room, last, EventID.max]))
  }

  /// The newest change of a room; 0 where there is none.
  func lastChange(in room: Int64) throws -> EventID {
    try first("SELECT max(id) FROM room_changes WHERE room = ? HAVING count(*) > 0", [room]) { $0[0] } ?? 0
  }
}

extension WriteTransaction {
  /// Stores a change of a group as a line of its log and tells its members. The oldest lines make room for new ones.
  func note(
    _ kind: RoomChange.Kind, in room: Int64, _ roomID: RoomID, by actor: Int64, of subject: Int64? = nil,
    text: String? = nil, messageSeq: Int? = nil, at time: Timestamp
  ) throws {
    let id = try database.lastEventID() + 1
    try database.run(
      """
      INSERT INTO room_changes (room, id, at, kind, actor, subject, text, message_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [room, id, time.milliseconds, kind.rawValue, actor, subject, text, messageSeq])
    try database.run(
      """
      DELETE FROM room_changes WHERE room = ?1 AND id <= (
        SELECT id FROM room_changes WHERE room = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """, [room, limits.roomChanges])
    let faces = Faces()
    let change = RoomChange(
      id: id, roomID: roomID, at: time, kind: kind, by: try faces.face(actor, in: database),
      user: try subject.map { try faces.face($0, in: database) }, text: text, messageSeq: messageSeq)
    try log(.roomChanged(change), room: room, roomID)
  }
}

extension Schema {
  /// `room_changes`: lines of groups' logs that are not messages (`RoomChange`); `id` is the number of the event that told
  /// of it. `cleared_change`: the member sees only what is newer.
  static func registerRoomChanges(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("room changes", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE room_changes (
            room INTEGER NOT NULL REFERENCES rooms (key),
            id INTEGER NOT NULL,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            actor INTEGER NOT NULL REFERENCES users (key),
            subject INTEGER REFERENCES users (key),
            text TEXT,
            message_seq INTEGER,
            PRIMARY KEY (room, id)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX room_changes_by_actor ON room_changes (actor);
          CREATE INDEX room_changes_by_subject ON room_changes (subject) WHERE subject IS NOT NULL;

          ALTER TABLE memberships ADD COLUMN cleared_change INTEGER NOT NULL DEFAULT 0;
          """)
    }
  }
}
