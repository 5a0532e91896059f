import GRDB

extension Schema {
  /// News of GitHub (N1–N4): feeds, their items, and single things that items lead to.
  static func registerNews(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("news", foreignKeyChecks: .immediate) { try $0.execute(sql: news) }
  }

  /// `owner` is GitHub's id of whom a feed is for, 0 for everybody's. Ids of items are strings and are compared as such;
  /// of one moment, the longer one counts as the greater. `content` of a thing is opaque here.
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
