import GRDB

extension Schema {
  /// Pictures by the SHA-256 of their bytes, in hexadecimal; what each person shows of himself; when sessions were used.
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
