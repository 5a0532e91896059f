import GRDB

extension Schema {
  /// Web Push: this server's own key (a single row), the subscriptions of sessions, which end with them, and the hours in
  /// which each person is told nothing, in minutes.
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
