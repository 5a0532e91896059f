import GRDB

extension Schema {
  /// Marks for the index, which is updated after the messages: `search_added` lists new messages in the order of their
  /// events, `search_changed` the indexed content of messages changed since, `search_words` words to check, several in
  /// each row. Only `SearchIndexer` merges segments, in portions.
  ///
  /// Also removes empty rooms without members, which merging people used to leave behind.
  static func registerSearchMarks(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("search marks", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE search_added (
            event INTEGER PRIMARY KEY,
            room INTEGER NOT NULL,
            seq INTEGER NOT NULL
          ) STRICT;
          CREATE TABLE search_changed (
            number INTEGER PRIMARY KEY,
            text TEXT,
            room INTEGER NOT NULL,
            sender INTEGER NOT NULL
          ) STRICT;
          CREATE TABLE search_words (
            key INTEGER PRIMARY KEY,
            words TEXT NOT NULL
          ) STRICT;

          INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0), ('crisismerge', 64);
          INSERT INTO search_parts (search_parts, rank) VALUES ('automerge', 0), ('crisismerge', 64);

          CREATE TEMP TABLE empty_rooms AS SELECT key FROM rooms r WHERE kind = 'direct'
            AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.room = r.key)
            AND NOT EXISTS (SELECT 1 FROM messages s WHERE s.room = r.key);
          DELETE FROM search_messages WHERE room IN (SELECT key FROM empty_rooms);
          DELETE FROM rooms WHERE key IN (SELECT key FROM empty_rooms);
          DROP TABLE empty_rooms;
          """)
    }
  }
}
