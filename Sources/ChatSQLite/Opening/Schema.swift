import GRDB

/// The schema. A migration is frozen once released; a change is a new migration.
///
/// Tables refer to people and rooms by small integer keys, so that rows and indexes of the big tables need a byte or
/// two where an id takes sixteen. Times are milliseconds since 1970. TEXT columns that end in `_key` are case-folded
/// copies for comparison, because SQLite folds only ASCII.
enum Schema {
  /// "Hubb" in ASCII: identifies the file as ours.
  static let applicationID = 0x4875_6262

  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: people + rooms + messages + events + directory)
    }
    migrator.registerMigration("views", foreignKeyChecks: .immediate) { try addViews($0) }
    registerInvitations(&migrator)
    registerProfile(&migrator)
    migrator.registerMigration("search", foreignKeyChecks: .immediate) { try addSearch($0) }
    migrator.registerMigration("groups", foreignKeyChecks: .immediate) { try addGroups($0) }
    registerDirectory(&migrator)
    registerNews(&migrator)
    registerGitHubAccounts(&migrator)
    registerOwnUnread(&migrator)
    registerLanguages(&migrator)
    registerPush(&migrator)
    registerOneEncoding(&migrator)
    registerSearchMarks(&migrator)
    registerGitHubProvider(&migrator)
    registerAddedBy(&migrator)
    registerHandles(&migrator)
    registerRoomChanges(&migrator)
    registerQuotations(&migrator)
    registerRepositories(&migrator)
    return migrator
  }()

  private static let people = """
    CREATE TABLE users (
      key INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      first_name TEXT NOT NULL,
      last_name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      login TEXT,
      login_key TEXT UNIQUE,
      github_id INTEGER UNIQUE REFERENCES github_accounts (id),
      last_seen_at INTEGER
    ) STRICT;
    CREATE INDEX users_by_name ON users (name_key, id);

    CREATE TABLE accounts (
      person INTEGER PRIMARY KEY REFERENCES users (key),
      email TEXT,
      email_key TEXT UNIQUE,
      password_hash TEXT,
      is_admin INTEGER NOT NULL CHECK (is_admin IN (0, 1)),
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
      secret_hash BLOB NOT NULL PRIMARY KEY CHECK (length(secret_hash) = 32),
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      person INTEGER NOT NULL REFERENCES users (key),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      user_agent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_person ON sessions (person, created_at);

    """

  /// A room is hidden from a member while `last_seq <= hidden_seq`, so a new message shows it again without a write.
  private static let rooms = """
    CREATE TABLE rooms (
      key INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      kind TEXT NOT NULL CHECK (kind IN ('direct', 'group')),
      name TEXT NOT NULL,
      topic TEXT NOT NULL,
      last_seq INTEGER NOT NULL CHECK (last_seq >= 0),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE direct_rooms (
      low INTEGER NOT NULL REFERENCES users (key),
      high INTEGER NOT NULL REFERENCES users (key),
      room INTEGER NOT NULL UNIQUE REFERENCES rooms (key),
      PRIMARY KEY (low, high),
      CHECK (low < high)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE memberships (
      room INTEGER NOT NULL REFERENCES rooms (key),
      member INTEGER NOT NULL REFERENCES users (key),
      role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
      read_seq INTEGER NOT NULL DEFAULT 0 CHECK (read_seq >= 0),
      delivered_seq INTEGER NOT NULL DEFAULT 0 CHECK (delivered_seq >= read_seq),
      cleared_seq INTEGER NOT NULL DEFAULT 0,
      hidden_seq INTEGER NOT NULL DEFAULT -1,
      is_muted INTEGER NOT NULL DEFAULT 0 CHECK (is_muted IN (0, 1)),
      is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
      draft TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (room, member)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memberships_by_member ON memberships (member, room);

    """

  /// `sent_digest` is set when a message is first edited: it distinguishes a retry of the original send from a
  /// different message. The two partial indexes contain the rows from which the count of unread messages is computed.
  private static let messages = """
    CREATE TABLE messages (
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL CHECK (seq >= 1),
      sender INTEGER NOT NULL REFERENCES users (key),
      client_id BLOB NOT NULL CHECK (length(client_id) = 16),
      text TEXT NOT NULL,
      reply_to INTEGER,
      created_at INTEGER NOT NULL,
      edited_at INTEGER,
      deleted_at INTEGER,
      sent_digest INTEGER,
      PRIMARY KEY (room, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX messages_by_client_id ON messages (sender, client_id);
    CREATE INDEX messages_by_sender ON messages (room, sender, seq) WHERE deleted_at IS NULL;
    CREATE INDEX messages_deleted ON messages (room, seq) WHERE deleted_at IS NOT NULL;

    """

  /// An event is for the members of `room`, or for `reader` alone, or for everyone if both are NULL; each kind has its
  /// index in the order of ids. `seq` is the message that `data` quotes.
  private static let events = """
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      room INTEGER REFERENCES rooms (key),
      reader INTEGER REFERENCES users (key),
      seq INTEGER,
      data TEXT NOT NULL,
      CHECK (room IS NULL OR reader IS NULL)
    ) STRICT;
    CREATE INDEX events_by_room ON events (room) WHERE room IS NOT NULL;
    CREATE INDEX events_by_reader ON events (reader) WHERE reader IS NOT NULL;
    CREATE INDEX events_for_everyone ON events (id) WHERE room IS NULL AND reader IS NULL;
    CREATE INDEX events_by_message ON events (room, seq) WHERE seq IS NOT NULL;

    """

  private static let directory = """
    CREATE TABLE github_accounts (
      id INTEGER PRIMARY KEY,
      login TEXT NOT NULL,
      login_key TEXT UNIQUE,
      type TEXT NOT NULL,
      name TEXT,
      avatar_url TEXT NOT NULL,
      fetched_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE directory_pages (
      key INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      cursor TEXT NOT NULL,
      next TEXT,
      etag TEXT,
      fetched_at INTEGER NOT NULL,
      UNIQUE (kind, subject, cursor)
    ) STRICT;

    CREATE TABLE directory_entries (
      page INTEGER NOT NULL REFERENCES directory_pages (key),
      position INTEGER NOT NULL,
      account INTEGER NOT NULL REFERENCES github_accounts (id),
      PRIMARY KEY (page, position)
    ) STRICT, WITHOUT ROWID;

    """
}
