import GRDB

extension Schema {
  /// Invitations to the instance (`room` NULL) and to rooms; `inviter` NULL is the operator.
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
