import Chat
import GRDB

extension Schema {
  /// Groups: member counts, bans, and public rooms by name. No groups exist yet, so there are no names to fold.
  static func addGroups(_ database: Database) throws {
    try database.execute(sql: groups)
  }

  /// Triggers keep `members_count`, so that listing a room of thousands costs the same as any other. Messages up to a
  /// member's `joined_seq` were there before they joined: those do not count as unread to them, nor are they reported
  /// to others as read by them.
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

extension Schema {
  /// Invitations to the instance (`room` NULL) and to rooms; a NULL `inviter` is the operator.
  static func registerInvitations(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("invitations", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE invitations (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            room INTEGER REFERENCES rooms (key),
            inviter INTEGER REFERENCES users (key),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            max_uses INTEGER CHECK (max_uses >= 1),
            uses INTEGER NOT NULL DEFAULT 0 CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses)),
            ended_at INTEGER
          ) STRICT;
          CREATE INDEX invitations_by_room ON invitations (room, inviter);
          CREATE INDEX invitations_by_inviter ON invitations (inviter);
          """)
    }
  }
}

extension Schema {
  /// `language`: a tag (`de`); NULL means the language that the browser requests.
  static func registerLanguages(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("languages", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: "ALTER TABLE accounts ADD COLUMN language TEXT")
    }
  }
}

extension Schema {
  /// `added_by`: who may add the person to groups.
  static func registerAddedBy(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("added by", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          ALTER TABLE users ADD COLUMN added_by TEXT NOT NULL DEFAULT 'everybody'
            CHECK (added_by IN ('everybody', 'known', 'nobody'));
          """)
    }
  }
}

extension Schema {
  /// `has_own_unread`: there may be own messages after the member's read pointer, because it was moved back or chats
  /// were merged. This is rare, and own messages are counted only then. So the index of all messages by room and
  /// sender, a third of the bytes written per send, can go.
  static func registerOwnUnread(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("own unread", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          ALTER TABLE memberships ADD COLUMN has_own_unread INTEGER NOT NULL DEFAULT 0 CHECK (has_own_unread IN (0, 1));
          UPDATE memberships SET has_own_unread = 1 WHERE EXISTS (
            SELECT 1 FROM messages o WHERE o.room = memberships.room AND o.sender = memberships.member
              AND o.seq > memberships.read_seq AND o.deleted_at IS NULL);
          DROP INDEX messages_by_sender;
          """)
    }
  }
}

extension Schema {
  /// `handles`: by which handles people are mentioned, folded: the present ones, which `users` has as they are spelled, and
  /// former ones. Those that several people had get a number; who has a login keeps theirs.
  static func registerHandles(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("handles", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE handles (
            handle_key TEXT NOT NULL PRIMARY KEY,
            member INTEGER NOT NULL REFERENCES users (key)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX handles_by_member ON handles (member);
          ALTER TABLE users ADD COLUMN handle TEXT NOT NULL DEFAULT '';
          ALTER TABLE users ADD COLUMN chose_handle INTEGER NOT NULL DEFAULT 0 CHECK (chose_handle IN (0, 1));
          DROP INDEX users_by_handle;
          """)
      let people = try database.all(
        "SELECT key, login, first_name || last_name FROM users ORDER BY login IS NULL, key"
      ) { (key: $0[0] as Int64, handle: $0[1] as String? ?? Mentions.handle(ofName: $0[2])) }
      for person in people {
        let handle = try Mentions.free(person.handle) {
          try database.exists("SELECT 1 FROM handles WHERE handle_key = ?", [$0])
        }
        let key = Mentions.folded(handle)
        try database.run("UPDATE users SET handle = ?, handle_key = ? WHERE key = ?", [handle, key, person.key])
        try database.run("INSERT INTO handles (handle_key, member) VALUES (?, ?)", [key, person.key])
      }
    }
  }
}

extension Schema {
  /// Pictures by the SHA-256 of their content, in hexadecimal; each person's privacy settings; when sessions were last
  /// used.
  static func registerProfile(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("profile", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE pictures (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE CHECK (length(id) = 64),
            media_type TEXT NOT NULL,
            bytes BLOB NOT NULL
          ) STRICT;

          ALTER TABLE users ADD COLUMN picture TEXT REFERENCES pictures (id);
          ALTER TABLE users ADD COLUMN shows_reading INTEGER NOT NULL DEFAULT 1 CHECK (shows_reading IN (0, 1));
          ALTER TABLE users ADD COLUMN shows_last_seen INTEGER NOT NULL DEFAULT 1 CHECK (shows_last_seen IN (0, 1));
          CREATE INDEX users_by_picture ON users (picture) WHERE picture IS NOT NULL;
          CREATE INDEX users_who_hide ON users (key) WHERE shows_reading = 0 OR shows_last_seen = 0;

          ALTER TABLE sessions ADD COLUMN last_used_at INTEGER;
          """)
    }
  }
}

extension Schema {
  /// Web Push: the server's key (a single row), the subscriptions, which end with their sessions, and each person's
  /// do-not-disturb hours in minutes.
  static func registerPush(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("push", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE push_keys (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            private_key BLOB NOT NULL CHECK (length(private_key) = 32)
          ) STRICT;

          CREATE TABLE push_subscriptions (
            key INTEGER PRIMARY KEY,
            session BLOB NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
            endpoint TEXT NOT NULL UNIQUE,
            public_key BLOB NOT NULL CHECK (length(public_key) = 65),
            secret BLOB NOT NULL CHECK (length(secret) = 16),
            created_at INTEGER NOT NULL
          ) STRICT;

          ALTER TABLE users ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1));
          ALTER TABLE users ADD COLUMN quiet_from INTEGER NOT NULL DEFAULT 1320;
          ALTER TABLE users ADD COLUMN quiet_to INTEGER NOT NULL DEFAULT 420;
          ALTER TABLE users ADD COLUMN utc_offset INTEGER NOT NULL DEFAULT 0;
          """)
    }
  }
}

extension Schema {
  /// Creates the search index (docs/decisions/0007-search.md) and indexes the existing messages.
  static func addSearch(_ database: Database) throws {
    try database.execute(sql: search)
    try SearchIndex(database: database).addAllMessages()
  }

  /// `search_messages` numbers all messages in chronological order; rows stay when a message is deleted.
  ///
  /// `search_index` holds the tokens of `SearchTokenizer`, which are case-folded already, so its own tokenizer only
  /// splits at spaces. It is contentless: the delete command must repeat the text to remove. Its rowid is composed of
  /// the number and the room (`SearchIndex.rowid`).
  ///
  /// `search_terms` holds each longer word once, with the number of a message that contains it, and `search_parts` the
  /// trigrams of those words.
  private static let search = """
    CREATE TABLE search_messages (
      number INTEGER PRIMARY KEY,
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL,
      UNIQUE (room, seq)
    ) STRICT;

    CREATE VIRTUAL TABLE search_index USING fts5 (
      words, parts, facts, content = '', columnsize = 0, tokenize = "ascii tokenchars ':#'"
    );

    CREATE TABLE search_terms (
      key INTEGER PRIMARY KEY,
      term TEXT NOT NULL UNIQUE,
      number INTEGER NOT NULL
    ) STRICT;

    CREATE VIRTUAL TABLE search_parts USING fts5 (
      term, content = 'search_terms', content_rowid = 'key', tokenize = 'trigram case_sensitive 1'
    );
    CREATE TRIGGER search_terms_added AFTER INSERT ON search_terms BEGIN
      INSERT INTO search_parts (rowid, term) VALUES (new.key, new.term);
    END;
    CREATE TRIGGER search_terms_gone AFTER DELETE ON search_terms BEGIN
      INSERT INTO search_parts (search_parts, rowid, term) VALUES ('delete', old.key, old.term);
    END;

    CREATE INDEX rooms_public ON rooms (key) WHERE is_public = 1;
    """
}

extension Schema {
  /// Features beyond writing: groups, reactions and pins, mentions, and each member's own view of a room.
  static func addViews(_ database: Database) throws {
    try database.execute(sql: roomViews + marks)
    // The list used to be sorted by time. Creating a room logged two events, so the next event's number is greater.
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

  /// `position` orders the chat list. `joined_event` is the last event that the member does not receive. An event for a
  /// single reader that contains a room quotes its last message: `quoted_room` and `seq` find it. `hidden_seq` is -1
  /// unless the member removed the room from their list; the next message resets it.
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
  /// The form of a handle that mentions are compared with.
  var handleKey: String { Mentions.folded(handle) }
}

extension Schema {
  /// The log no longer contains the messages that rooms quote, only where they are (`WriteTransaction.logRoom`).
  static func registerQuotations(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("quotations", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          UPDATE events SET data = json_set(data, '$.last_message', NULL) WHERE quoted_room IS NOT NULL;
          UPDATE events SET quoted_room = NULL, seq = NULL WHERE quoted_room IS NOT NULL AND name = 'room.removed';
          """)
    }
  }
}

extension Schema {
  /// The repository that short references in a room's messages belong to.
  static func registerRepositories(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("repositories", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: "ALTER TABLE rooms ADD COLUMN repository TEXT")
    }
  }
}
