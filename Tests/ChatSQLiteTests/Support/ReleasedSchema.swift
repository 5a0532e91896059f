import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite

/// A database of an older Hubbub: `Fixtures/NN-<its last migration>.sqlite`, frozen once released.
///
/// `HUBBUB_WRITE_FIXTURES=1 swift test --filter ReleasedSchemaTests` writes the missing ones, each from the one before:
/// migrated by one step, with content in the new tables.
struct ReleasedSchema: Sendable, CustomTestStringConvertible {
  let number: Int
  let migration: String

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static let all = Schema.migrator.migrations.enumerated().map { ReleasedSchema(number: $0 + 1, migration: $1) }

  var file: URL {
    let name = migration.replacingOccurrences(of: " ", with: "-")
    return ReleasedSchema.folder.appendingPathComponent(String(format: "%02d-%@.sqlite", number, name))
  }

  var testDescription: String { migration }

  func isAtLeast(_ other: String) -> Bool {
    ReleasedSchema.all.firstIndex { $0.migration == other }.map { $0 < number } ?? false
  }

  /// Writes the file if it does not exist.
  func write() throws {
    guard !FileManager.default.fileExists(atPath: file.path) else { return }
    let folder = try TemporaryFolder()
    if number > 1 {
      try FileManager.default.copyItem(atPath: ReleasedSchema.all[number - 2].file.path, toPath: folder.database)
    } else {
      let queue = try DatabaseQueue(path: folder.database)
      // Small pages make small files.
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 512; VACUUM") }
      try queue.close()
    }
    let pool = try DatabaseOpening.connect(folder.database, limits: StoreLimits())
    try Schema.migrator.migrate(pool, upTo: migration)
    if let content = Self.content[migration] { try pool.write { try $0.execute(sql: content) } }
    try pool.close()
    let queue = try DatabaseQueue(path: folder.database)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE; VACUUM") }
    try queue.close()
    try FileManager.default.copyItem(atPath: folder.database, toPath: file.path)
  }

  /// The content of the tables added by each migration.
  private static let content = [
    "v1": """
    INSERT INTO github_accounts VALUES (583231, 'octocat', 'octocat', 'User', NULL, 'https://example.org/o', 0);
    INSERT INTO users (key, id, first_name, last_name, name_key, login, login_key, github_id) VALUES
      (1, x'00000000000070008000000000000001', 'Ada', 'Lovelace', 'ada lovelace', NULL, NULL, NULL),
      (2, x'00000000000070008000000000000002', 'Bob', '', 'bob', NULL, NULL, NULL),
      (3, x'00000000000070008000000000000003', 'Octo', '', 'octo', 'octocat', 'octocat', 583231);
    INSERT INTO accounts VALUES
      (1, 'ada@example.org', 'ada@example.org', 'hash', 1, 0), (2, 'bob@example.org', 'bob@example.org', 'hash', 0, 0);
    INSERT INTO sessions (secret_hash, id, person, created_at, expires_at, user_agent) VALUES
      (zeroblob(32), x'00000000000070008000000000000051', 1, 1000, 4000000000000, 'Firefox');
    INSERT INTO rooms (key, id, kind, name, topic, last_seq, created_at, updated_at) VALUES
      (1, x'0000000000007000800000000000000A', 'direct', '', '', 5, 1000, 9000),
      (2, x'0000000000007000800000000000000B', 'direct', '', '', 0, 2000, 2000);
    INSERT INTO direct_rooms VALUES (1, 2, 1), (1, 3, 2);
    INSERT INTO memberships (room, member, role, read_seq, delivered_seq, draft) VALUES
      (1, 1, 'member', 2, 3, 'half a sentence'), (1, 2, 'member', 5, 5, ''), (2, 1, 'member', 0, 0, ''),
      (2, 3, 'member', 0, 0, '');
    INSERT INTO messages (room, seq, sender, client_id, text, reply_to, created_at, edited_at, deleted_at, sent_digest)
    VALUES
      (1, 1, 2, x'00000000000070008000000000000021', 'Grüße aus Wien', NULL, 5000, NULL, NULL, NULL),
      (1, 2, 1, x'00000000000070008000000000000022', 'edited by now', 1, 6000, 6500, NULL, 42),
      (1, 3, 1, x'00000000000070008000000000000023', '', NULL, 7000, NULL, 7500, NULL),
      (1, 4, 1, x'00000000000070008000000000000024', 'mine, marked as unread', NULL, 8000, NULL, NULL, NULL),
      (1, 5, 2, x'00000000000070008000000000000025', 'the newest', NULL, 9000, NULL, NULL, NULL);
    INSERT INTO events (id, name, room, reader, seq, data) VALUES
      (6, 'message.created', 1, NULL, 5, '{"text":"the newest"}');
    """,
    "views": """
    INSERT INTO reactions (room, seq, emoji, member, event) VALUES (1, 1, '👍', 1, 7);
    INSERT INTO pins (room, seq, member, pinned_at, event) VALUES (1, 1, 2, 9500, 8);
    """,
    "invitations": """
    INSERT INTO invitations (key, id, secret_hash, created_at) VALUES
      (1, x'00000000000070008000000000000061', zeroblob(32), 9600);
    """,
    "profile": "UPDATE users SET shows_last_seen = 0 WHERE key = 2;",
    "languages": "UPDATE accounts SET language = 'de' WHERE person = 2;",
    "groups": """
    INSERT INTO rooms (key, id, kind, name, topic, last_seq, created_at, updated_at, name_key, is_public, position) VALUES
      (3, x'0000000000007000800000000000000C', 'group', 'Engines', 'Analytical', 0, 9700, 9700, 'engines', 1, 3);
    INSERT INTO memberships (room, member, role) VALUES (3, 1, 'owner'), (3, 2, 'member');
    """,
    "github provider": "INSERT INTO github_provider (key, name) VALUES (1, 'github.com');",
    "added by": "UPDATE users SET added_by = 'known' WHERE key = 1;",
    "search marks": """
    INSERT INTO search_changed (number, text, room, sender)
      SELECT n.number, s.text, s.room, s.sender FROM search_messages n JOIN messages s ON s.room = n.room AND s.seq = n.seq
      WHERE s.room = 1 AND s.seq = 1;
    """,
    "room changes": """
    INSERT INTO room_changes (room, id, at, kind, actor, subject) VALUES (3, 9, 9800, 'added', 1, 2);
    """,
    "quotations": """
    INSERT INTO events (id, name, reader, quoted_room, seq, data) VALUES
      (10, 'room.updated', 1, 1, 5, '{"last_message":null}');
    """,
    "repositories": "UPDATE rooms SET repository = 'apple/swift' WHERE key = 1;",
  ]
}
