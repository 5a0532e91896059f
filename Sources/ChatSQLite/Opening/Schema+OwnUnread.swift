import GRDB

extension Schema {
  /// `has_own_unread`: own messages may stand after the member's pointer, because it was put back or chats were merged.
  /// They are rare and are counted then and only then, which makes the index of all messages by room and sender, a third
  /// of the bytes that a send wrote, dispensable.
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
