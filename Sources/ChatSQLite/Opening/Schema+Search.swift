import GRDB

extension Schema {
  /// The search index (docs/decisions/0007-search.md), and the messages that are there already in it.
  static func addSearch(_ database: Database) throws {
    try database.execute(sql: search)
    try SearchIndex(database: database).addAllMessages()
  }

  /// `search_messages` numbers all messages in the order of time; rows stay when a message is deleted.
  ///
  /// `search_index` holds the tokens that `SearchTokenizer` gives, already folded, so its own tokenizer only has to cut
  /// at spaces. It keeps no text: what is taken out is named again with the delete command. Its rowid is made of
  /// the number and the room (`SearchIndex.rowid`).
  ///
  /// `search_terms` holds each longer word once, with the number of a message that has it, and `search_parts` the
  /// trigrams of those words.
  private static let search = """
    CREATE TABLE search_messages (
      number INTEGER PRIMARY KEY,
      room INTEGER NOT NULL REFERENCES rooms (key),
      seq INTEGER NOT NULL,
      UNIQUE (room, seq)
    ) STRICT;

    CREATE VIRTUAL TABLE search_index USING fts5 (
      words, parts, facts, content = '', columnsize = 0, tokenize = "ascii tokenchars ':#'"
    );

    CREATE TABLE search_terms (
      key INTEGER PRIMARY KEY,
      term TEXT NOT NULL UNIQUE,
      number INTEGER NOT NULL
    ) STRICT;

    CREATE VIRTUAL TABLE search_parts USING fts5 (
      term, content = 'search_terms', content_rowid = 'key', tokenize = 'trigram case_sensitive 1'
    );
    CREATE TRIGGER search_terms_added AFTER INSERT ON search_terms BEGIN
      INSERT INTO search_parts (rowid, term) VALUES (new.key, new.term);
    END;
    CREATE TRIGGER search_terms_gone AFTER DELETE ON search_terms BEGIN
      INSERT INTO search_parts (search_parts, rowid, term) VALUES ('delete', old.key, old.term);
    END;

    CREATE INDEX rooms_public ON rooms (key) WHERE is_public = 1;
    """
}
