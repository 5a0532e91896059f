import GRDB

extension Schema {
  /// Groups: how many are in, who is kept out, and public rooms by name. There are no groups yet, so no names to fold.
  static func addGroups(_ database: Database) throws {
    try database.execute(sql: groups)
  }

  /// `members_count` is kept by triggers, so that a room of thousands is listed at the cost of any other. What is up to a member's `joined_seq` was there before him: it is not unread to him,
  /// nor told to others as read by him.
  private static let groups = """
    ALTER TABLE rooms ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
    CREATE INDEX rooms_by_name ON rooms (name_key, id) WHERE is_public = 1;

    CREATE INDEX rooms_by_picture ON rooms (picture) WHERE picture IS NOT NULL;

    ALTER TABLE rooms ADD COLUMN members_count INTEGER NOT NULL DEFAULT 0 CHECK (members_count >= 0);
    UPDATE rooms SET members_count = (SELECT count(*) FROM memberships m WHERE m.room = rooms.key);
    CREATE TRIGGER membership_begins AFTER INSERT ON memberships BEGIN
      UPDATE rooms SET members_count = members_count + 1 WHERE key = NEW.room;
    END;
    CREATE TRIGGER membership_ends AFTER DELETE ON memberships BEGIN
      UPDATE rooms SET members_count = members_count - 1 WHERE key = OLD.room;
    END;

    ALTER TABLE memberships ADD COLUMN joined_seq INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE bans (
      room INTEGER NOT NULL REFERENCES rooms (key),
      member INTEGER NOT NULL REFERENCES users (key),
      banned_by INTEGER NOT NULL REFERENCES users (key),
      banned_at INTEGER NOT NULL,
      PRIMARY KEY (room, member)
    ) STRICT, WITHOUT ROWID;

    """
}
