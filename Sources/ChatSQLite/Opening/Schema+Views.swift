import Chat
import GRDB

extension Schema {
  /// What members see and do beyond writing: groups, marks on messages, mentions, one's own view of a room.
  static func addViews(_ database: Database) throws {
    try database.execute(sql: roomViews + marks)
    // The list was in the order of times. Each room's making logged two events, so the next event's number is above.
    try database.execute(
      sql: """
        UPDATE rooms SET position = o.place
        FROM (SELECT key, row_number() OVER (ORDER BY updated_at, id) AS place FROM rooms) o WHERE o.key = rooms.key
        """)
    for row in try Row.fetchAll(database, sql: "SELECT key, first_name, last_name, login FROM users") {
      let user = User(
        id: UserID(high: 0, low: 0), login: row["login"], firstName: row["first_name"], lastName: row["last_name"])
      try database.execute(
        sql: "UPDATE users SET handle_key = ? WHERE key = ?", arguments: [user.handleKey, row["key"] as Int64])
    }
  }

  /// `position` orders the list of chats. `joined_event` is the last event that the member is not told of.
  /// An event for one reader that holds a room quotes its last message: `quoted_room` and `seq` find it again.
  /// `hidden_seq` is -1 unless the member took the room off his list; what comes next sets it back.
  private static let roomViews = """
    ALTER TABLE rooms ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE rooms ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1));
    ALTER TABLE rooms ADD COLUMN picture TEXT;
    ALTER TABLE memberships ADD COLUMN joined_event INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE memberships ADD COLUMN mention_level TEXT NOT NULL DEFAULT 'all'
      CHECK (mention_level IN ('all', 'mentions', 'nothing'));
    CREATE INDEX memberships_hidden ON memberships (room) WHERE hidden_seq >= 0;
    ALTER TABLE events ADD COLUMN quoted_room INTEGER REFERENCES rooms (key);
    CREATE INDEX events_by_quotation ON events (quoted_room, seq) WHERE quoted_room IS NOT NULL;
    ALTER TABLE users ADD COLUMN handle_key TEXT NOT NULL DEFAULT '';
    CREATE INDEX users_by_handle ON users (handle_key);

    """

  private static let marks = """
    ALTER TABLE messages ADD COLUMN forwarded_from INTEGER REFERENCES users (key);

    CREATE TABLE mentions (
      member INTEGER NOT NULL REFERENCES users (key),
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL,
      PRIMARY KEY (member, room, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mentions_by_message ON mentions (room, seq, member);

    CREATE TABLE hidden_messages (
      member INTEGER NOT NULL REFERENCES users (key),
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL,
      PRIMARY KEY (member, room, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE reactions (
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL,
      emoji TEXT NOT NULL,
      member INTEGER NOT NULL REFERENCES users (key),
      event INTEGER NOT NULL,
      PRIMARY KEY (room, seq, emoji, member)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE pins (
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL,
      member INTEGER NOT NULL REFERENCES users (key),
      pinned_at INTEGER NOT NULL,
      event INTEGER NOT NULL,
      PRIMARY KEY (room, seq)
    ) STRICT, WITHOUT ROWID;

    """
}

extension User {
  /// What a mention is compared with (R3).
  var handleKey: String { Mentions.folded(handle) }
}
