import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Migrating")
struct MigrationTests {
  /// A database of the first release: people with and without a login, three chats, two messages.
  private static let first = """
    INSERT INTO github_accounts VALUES (583231, 'octocat', 'octocat', 'User', NULL, 'x', 0);
    INSERT INTO users (key, id, first_name, last_name, name_key, login, login_key, github_id) VALUES
      (1, x'00000000000070008000000000000001', 'Ada', 'Lovelace', 'ada lovelace', NULL, NULL, NULL),
      (2, x'00000000000070008000000000000002', 'Bob', '', 'bob', NULL, NULL, NULL),
      (3, x'00000000000070008000000000000003', 'Octo', '', 'octo', 'octocat', 'octocat', 583231);
    INSERT INTO accounts VALUES (1, 'ada@example.org', 'ada@example.org', 'hash', 1, 0);
    INSERT INTO rooms (key, id, kind, name, topic, last_seq, created_at, updated_at) VALUES
      (1, x'0000000000007000800000000000000A', 'direct', '', '', 2, 1000, 9000),
      (2, x'0000000000007000800000000000000B', 'direct', '', '', 0, 2000, 2000),
      (3, x'0000000000007000800000000000000C', 'direct', '', '', 0, 2000, 2000);
    INSERT INTO direct_rooms VALUES (1, 2, 1), (1, 3, 2), (2, 3, 3);
    INSERT INTO memberships (room, member, role) VALUES
      (1, 1, 'member'), (1, 2, 'member'), (2, 1, 'member'), (2, 3, 'member'), (3, 2, 'member'), (3, 3, 'member');
    INSERT INTO messages (room, seq, sender, client_id, text, created_at) VALUES
      (1, 1, 2, x'00000000000070008000000000000021', 'first', 5000),
      (1, 2, 2, x'00000000000070008000000000000022', 'second', 9000);
    INSERT INTO events (id, name, room, reader, seq, data) VALUES (6, 'room.created', NULL, 1, NULL, '{}');
    """

  @Test("A database with the first schema opens with all its data, in the same order, and is usable", .shows("X1"))
  func fromFirst() async throws {
    let folder = try TemporaryFolder()
    let pool = try DatabaseOpening.connect(folder.database, limits: StoreLimits())
    try Schema.migrator.migrate(pool, upTo: "v1")
    try await pool.write { try $0.execute(sql: Self.first) }
    try pool.close()

    let store = try SQLiteStore(path: folder.database)
    try checkBackup(of: store)
    let (ada, bob, octo): (UserID, UserID, UserID) = (id(1), id(2), id(3))
    let rooms = try await store.rooms(of: ada, after: nil, limit: 10).value
    #expect(rooms.map(\.id) == [id(0xA), id(0xB)] && rooms[0].unreadCount == 2)
    #expect(try await store.rooms(of: octo, after: nil, limit: 10).value.map(\.id) == [id(0xC), id(0xB)])
    #expect(
      try await store.messages(in: id(0xA), for: ada, .newest(limit: 9)).value.messages.map(\.text) == [
        "first", "second",
      ])
    let time = Timestamp(milliseconds: 10_000)
    let sent = try await store.append(
      NewMessage(roomID: id(0xB), senderID: ada, clientID: id(99), text: "@octocat", createdAt: time))
    #expect(sent.message.mentions == [octo])
    let mention = try await store.append(
      NewMessage(roomID: id(0xA), senderID: bob, clientID: id(98), text: "@AdaLovelace", createdAt: time))
    #expect(mention.message.mentions == [ada] && mention.message.seq == 3)
    #expect(try await store.rooms(of: ada, after: nil, limit: 10).value.map(\.id) == [id(0xA), id(0xB)])
    store.close()
  }

  @Test("A migration that fails at every start makes one backup, not one per start", .shows("X1"))
  func failsAgain() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: ReleasedSchema.all[0].file.path, toPath: folder.database)
    let queue = try DatabaseQueue(path: folder.database)
    try await queue.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE pins (in_the_way)") }
    try queue.close()
    let copy = folder.database + ".before-upgrade-1-v1"
    var made: [NSNumber?] = []
    for _ in 0..<3 {
      #expect(throws: StoreOpenError.self) { try SQLiteStore(path: folder.database) }
      made.append(try FileManager.default.attributesOfItem(atPath: copy)[.systemFileNumber] as? NSNumber)
    }
    #expect(Set(made).count == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.contains("before-upgrade") } == ["hubbub.sqlite.before-upgrade-1-v1"])
  }

  /// The state before the upgrade is kept completely; a current database gets no backup.
  private func checkBackup(of store: SQLiteStore) throws {
    let backup = try #require(store.backupBeforeUpgrade)
    let queue = try DatabaseQueue(path: backup)
    let applied = try queue.read { try Schema.migrator.appliedIdentifiers($0) }
    #expect(applied == ["v1"])
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM messages") } == 2)
    try queue.close()
    #expect(try SQLiteStore(path: ":memory:").backupBeforeUpgrade == nil)
  }
}
