import GRDB

extension Schema {
  /// Bounds for what is kept of GitHub's lists, and logins that accounts had before.
  ///
  /// Pages counted by number are dropped: they were pages of fifty, and those of now have a hundred accounts, so that the
  /// two together would leave people out.
  static func registerDirectory(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("directory", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          DELETE FROM directory_entries
            WHERE page IN (SELECT key FROM directory_pages WHERE kind <> 'users' AND cursor <> '');
          DELETE FROM directory_pages WHERE kind <> 'users' AND cursor <> '';

          ALTER TABLE directory_pages ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX directory_pages_by_age ON directory_pages (fetched_at);
          CREATE INDEX directory_entries_by_account ON directory_entries (account);

          CREATE TABLE former_logins (
            login_key TEXT PRIMARY KEY,
            account INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX former_logins_by_account ON former_logins (account);
          """)
    }
  }
}
