import GRDB

extension Schema {
  /// `follows_github`: the account's names are GitHub's until they are changed here. The indexes find what belongs to a
  /// guest who becomes somebody with an account, without going through all messages.
  static func registerGitHubAccounts(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("github accounts", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          ALTER TABLE accounts ADD COLUMN follows_github INTEGER NOT NULL DEFAULT 0 CHECK (follows_github IN (0, 1));
          CREATE INDEX messages_by_author ON messages (forwarded_from) WHERE forwarded_from IS NOT NULL;
          CREATE INDEX reactions_by_member ON reactions (member);
          """)
    }
  }
}
