import GRDB

extension Schema {
  /// Bounds for the stored pages of GitHub's lists, and former logins of accounts.
  ///
  /// Drops pages counted by number: they held fifty accounts and new ones hold a hundred, so a mix of both would skip
  /// people.
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

extension Schema {
  /// `follows_github`: the account's names are GitHub's until they are changed here. The indexes find everything that
  /// belongs to a guest who signs in, without scanning all messages.
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

extension Schema {
  /// GitHub news: feeds, their items, and the things that items link to.
  static func registerNews(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("news", foreignKeyChecks: .immediate) { try $0.execute(sql: news) }
  }

  /// `owner` is the GitHub id of the person a feed is for; 0 is the public feed. Item ids are compared as strings; at
  /// the same time, the longer one counts as greater. A thing's `content` is opaque here.
  private static let news = """
    CREATE TABLE news_feeds (
      owner INTEGER PRIMARY KEY,
      etag TEXT,
      deeper TEXT,
      has_gap INTEGER NOT NULL CHECK (has_gap IN (0, 1)),
      poll_interval INTEGER NOT NULL,
      fetched_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE news_items (
      feed INTEGER NOT NULL REFERENCES news_feeds (owner),
      id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      type TEXT NOT NULL,
      action TEXT,
      actor INTEGER NOT NULL REFERENCES github_accounts (id),
      repository TEXT,
      organization TEXT,
      kind TEXT NOT NULL,
      path TEXT,
      number INTEGER,
      title TEXT,
      text TEXT,
      state TEXT,
      ref TEXT,
      count INTEGER,
      url TEXT NOT NULL,
      PRIMARY KEY (feed, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX news_items_by_actor ON news_items (actor);
    CREATE INDEX news_items_by_time ON news_items (feed, created_at DESC, length(id) DESC, id DESC);

    CREATE TABLE github_things (
      key TEXT PRIMARY KEY,
      content BLOB NOT NULL,
      etag TEXT,
      fetched_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX github_things_by_age ON github_things (fetched_at, length(content));

    """
}

extension Schema {
  /// Which GitHub the stored accounts are of (a single row once that is known): numbers mean other people elsewhere. Only
  /// the demo's stand-in has its pictures on this machine.
  static func registerGitHubProvider(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("github provider", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: """
          CREATE TABLE github_provider (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            name TEXT NOT NULL
          ) STRICT;
          INSERT INTO github_provider (key, name) SELECT 1, 'demo'
            WHERE EXISTS (SELECT 1 FROM github_accounts WHERE avatar_url LIKE 'http://127.0.0.1:%');
          """)
    }
  }
}
