import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Who finds what", .shows("Q1", "control 8"))
struct SearchAccessTests {
  @Test(
    "Non-members and former members find nothing, nor does anyone find what they cleared or hid",
    .shows("control 8"))
  func members() async throws {
    let chat = try await Chatroom()
    try await chat.send(5)
    let store = chat.store
    // First proves that she is an outsider and that there is something to find.
    let members = try await store.members(of: chat.room, for: chat.ada)
    try #require(!members.contains { $0.user.id == chat.eve })
    #expect(try await found("message", for: chat.ada, in: store) == [5, 4, 3, 2, 1])
    #expect(try await found("message", for: chat.eve, in: store).isEmpty)
    #expect(try await found("from:ada", for: chat.eve, in: store).isEmpty)
    for name in ["ada", "bob", chat.room.description, (id(77) as RoomID).description] {
      await #expect(throws: ChatError.self) { try await found("in:\"\(name)\"", for: chat.eve, in: store) }
    }
    await #expect(throws: ChatError.notFound) { try await found("message", for: id(66), in: store) }

    try await store.hideMessage(MessageAddress(roomID: chat.room, seq: 4), for: chat.bob)
    #expect(try await found("message", for: chat.bob, in: store) == [5, 3, 2, 1])
    #expect(try await found("essag", for: chat.bob, in: store) == [5, 3, 2, 1])
    #expect(try await found("message", for: chat.ada, in: store) == [5, 4, 3, 2, 1])
    try await store.clear(chat.room, for: chat.bob)
    #expect(try await found("message", for: chat.bob, in: store).isEmpty)
    try await chat.send(1, from: 2000)
    #expect(try await found("message", for: chat.bob, in: store) == [6])

    try await store.pool.write { database in
      try database.execute(
        sql: "DELETE FROM memberships WHERE member = (SELECT key FROM users WHERE first_name = 'Bob')")
    }
    #expect(try await found("message", for: chat.bob, in: store).isEmpty)
    #expect(try await found("essag", for: chat.bob, in: store).isEmpty)
    #expect(try await store.rooms(matching: "ada", for: chat.bob, limit: 9).isEmpty)
  }

  @Test("An edited message is found by its new words, not by its old ones, at the same place", .shows("Q1"))
  func edits() async throws {
    let chat = try await Chatroom()
    for (number, text) in ["first apple", "second pear", "third apple"].enumerated() {
      _ = try await chat.store.append(chat.message(UInt64(number), text))
    }
    _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: "first pear `x`", at: Chatroom.start)
    #expect(try await found("apple", for: chat.bob, in: chat.store) == [3])
    #expect(try await found("pear", for: chat.bob, in: chat.store) == [2, 1])
    #expect(try await found("has:code", for: chat.bob, in: chat.store) == [1])
    try await chat.store.delete(2, in: chat.room, by: chat.ada, at: Chatroom.start)
    #expect(try await found("pear", for: chat.bob, in: chat.store) == [1])
    #expect(try await found("in:ada", for: chat.bob, in: chat.store) == [3, 1])
  }

  @Test("A write that is rolled back leaves nothing in the index", .shows("Q1"))
  func takenBack() async throws {
    let gate = CommitGate()
    let chat = try await Chatroom(gate: gate)
    try await chat.send(1)
    // The second write in the commit is refused after it has marked something; the first succeeds.
    let store = chat.store
    let good = queued { try await store.append(chat.message(50, "orange")) }
    let bad = queued { try await store.append(chat.message(1000, "another text with the same id")) }
    _ = try await good.value
    await #expect(throws: ChatError.self) { try await bad.value }
    #expect(try await found("orange", for: chat.ada, in: chat.store) == [2])
    #expect(try await found("another", for: chat.ada, in: chat.store).isEmpty)
    #expect(try await chat.store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM search_messages") } == 2)
  }

  @Test(
    "Deleted text is gone from the index, from words and their parts, and after optimizing from the file",
    .shows("C7", "Q1"))
  func purged() async throws {
    let folder = try TemporaryFolder()
    let chat = try await Chatroom(path: folder.database)
    _ = try await chat.store.append(chat.message(1, "kept Zanzibarquest words"))
    _ = try await chat.store.append(chat.message(2, "Zanzibarquest and Xylophonist_secret 密码"))
    _ = try await chat.store.append(chat.message(3, "Quetzalcoatlus"))
    _ = try await chat.store.edit(3, in: chat.room, by: chat.ada, text: "plain", at: Chatroom.start)
    try await chat.store.delete(2, in: chat.room, by: chat.ada, at: Chatroom.start)
    await chat.store.writer.indexer.catchUp(for: chat.ada)
    try await chat.store.pool.write { database in
      try database.execute(
        sql: """
          INSERT INTO search_index (search_index) VALUES ('optimize');
          INSERT INTO search_parts (search_parts) VALUES ('optimize');
          CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search_index, row);
          CREATE VIRTUAL TABLE temp.trigrams USING fts5vocab(main, search_parts, row);
          """)
      let words = try String.fetchAll(database, sql: "SELECT term FROM vocabulary")
      #expect(words.contains("0000zanzibarquest") && words.contains("0000plain"))
      #expect(!words.contains { $0.contains("xylo") || $0.contains("密") || $0.contains("quetzal") })
      #expect(
        try String.fetchAll(database, sql: "SELECT term FROM search_terms ORDER BY 1") == [
          "kept", "plain", "words", "zanzibarquest",
        ])
      let trigrams = try String.fetchAll(database, sql: "SELECT term FROM trigrams")
      #expect(trigrams.contains("zan") && !trigrams.contains("xyl") && !trigrams.contains("tza"))
      try database.execute(sql: "DROP TABLE temp.vocabulary; DROP TABLE temp.trigrams")
      try database.execute(
        sql: "INSERT INTO search_index (search_index) VALUES ('integrity-check'); PRAGMA integrity_check")
    }
    #expect(try await found("zanzibarquest", for: chat.bob, in: chat.store) == [1])
    #expect(try await found("anzibar", for: chat.bob, in: chat.store) == [1])
    // Logged events contain the edited text until they are trimmed, so the log is emptied here.
    try await chat.store.pool.write { try $0.execute(sql: "DELETE FROM events WHERE name <> 'message.deleted'") }
    chat.store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(bytes.range(of: Data("anzibarquest".utf8)) != nil)
    for secret in ["ylophonist", "uetzalcoatlus", "密码"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) is in the file")
    }
  }

  @Test(
    "The messages of a database without an index are indexed on opening, in chronological order",
    .shows("X1", "Q1"))
  func migrates() async throws {
    let folder = try TemporaryFolder()
    let chat = try await Chatroom(path: folder.database)
    for (number, text) in ["old apple", "gone apple", "new appletree"].enumerated() {
      _ = try await chat.store.append(chat.message(UInt64(number), text, seconds: Int64(number)))
    }
    try await chat.store.delete(2, in: chat.room, by: chat.ada, at: Chatroom.start)
    try await chat.store.pool.write { database in
      for table in ["search_index", "search_parts", "search_terms", "search_messages"] {
        try database.execute(sql: "DROP TABLE \(table)")
      }
      try database.execute(sql: "DROP INDEX rooms_public; DELETE FROM grdb_migrations WHERE identifier = 'search'")
    }
    chat.store.close()
    let again = try await Chatroom(path: folder.database)
    #expect(try await found("appl", for: again.bob, in: again.store) == [3, 1])
    #expect(try await found("pplet", for: again.bob, in: again.store) == [3])
    #expect(try await found("gone", for: again.bob, in: again.store).isEmpty)
    _ = try await again.store.append(again.message(9, "apple again", seconds: 9))
    #expect(try await found("apple", for: again.bob, in: again.store) == [4, 3, 1])
    again.store.close()
  }

  @Test(
    "Rooms are found by prefixes of their names' words: one's own, and public groups without a role", .shows("Q1"))
  func rooms() async throws {
    let chat = try await Chatroom()
    try await chat.store.pool.write { database in
      for (key, name, isPublic) in [(50, "Café Général", 1), (51, "General hidden", 0), (52, "Garden", 1)] {
        try database.execute(
          sql: """
            INSERT INTO rooms (key, id, kind, name, topic, last_seq, created_at, updated_at, is_public)
            VALUES (?, ?, 'group', ?, 'topic', 0, 1, 2, ?)
            """, arguments: [key, (id(UInt64(key)) as RoomID).blob, name, isPublic])
      }
      try database.execute(
        sql: "INSERT INTO memberships (room, member, role) SELECT 52, key, 'admin' FROM users WHERE first_name = 'Ada'")
    }
    let store = chat.store
    let found = try await store.rooms(matching: "ge", for: chat.ada, limit: 9)
    #expect(
      found.map(\.name) == ["Café Général"] && found[0].role == nil && found[0].isPublic && found[0].topic == "topic")
    #expect(try await store.rooms(matching: "g", for: chat.ada, limit: 9).map(\.name) == ["Garden", "Café Général"])
    #expect(try await store.rooms(matching: "g", for: chat.ada, limit: 1).map(\.role) == [.admin])
    #expect(try await store.rooms(matching: "general cafe", for: chat.eve, limit: 9).count == 1)
    #expect(try await store.rooms(matching: "BOB", for: chat.ada, limit: 9).map(\.peer?.id) == [chat.bob])
    #expect(try await store.rooms(matching: "bob", for: chat.eve, limit: 9).isEmpty)
    #expect(try await store.rooms(matching: "!", for: chat.ada, limit: 9).isEmpty)
    try await store.hide(chat.room, for: chat.ada)
    #expect(try await store.rooms(matching: "bob", for: chat.ada, limit: 9).isEmpty)
    await #expect(throws: ChatError.notFound) { try await store.rooms(matching: "x", for: id(66), limit: 9) }
  }
}
