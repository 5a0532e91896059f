import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Indexing behind the messages", .timeLimit(.minutes(10)), .shows("Q1"))
struct SearchIndexerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func count(_ table: String, in chat: Chatroom) async throws -> Int {
    try await chat.store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
  }

  private func found(_ q: String, in chat: Chatroom) async throws -> [Int] {
    let query = try SearchQueryParser.parse(.init(q: q))
    return try await chat.store.messages(matching: query, for: chat.ada, after: nil, limit: 100).hits.map(\.message.seq)
  }

  /// Limits that never let the indexer run.
  private var never: StoreLimits {
    var limits = StoreLimits()
    (limits.indexDelay, limits.indexDelayUnderLoad) = (.seconds(1000), .seconds(1000))
    limits.searchWait = .zero
    return limits
  }

  @Test("A send commits a mark, not the index; if the program is killed, the next start indexes it")
  func marks() async throws {
    let chat = try await Chatroom(path: folder.database, limits: never)
    try await chat.send(3)
    _ = try await chat.store.edit(2, in: chat.room, by: chat.ada, text: "edited", at: Chatroom.start)
    #expect(try await count("search_added", in: chat) == 3)
    #expect(try await count("search_messages", in: chat) == 0)
    chat.store.close()
    let again = try await Chatroom(path: folder.database)
    while try await count("search_added", in: again) > 0 { await Task.yield() }
    #expect(try await found("message", in: again) == [3, 1])
    #expect(try await found("edited", in: again) == [2])
    #expect(try again.findings() == [])
  }

  @Test("A search reflects all sends, edits and deletions before it")
  func atOnce() async throws {
    let chat = try await Chatroom(path: folder.database)
    for number in 0..<20 {
      try await chat.send(1, by: chat.bob, from: UInt64(1000 + number))
      #expect(try await found("message", in: chat).count == 1)
      _ = try await chat.store.edit(number + 1, in: chat.room, by: chat.bob, text: "another", at: Chatroom.start)
      #expect(try await found("message", in: chat) == [])
      #expect(try await found("another", in: chat) == [number + 1])
      try await chat.store.delete(number + 1, in: chat.room, by: chat.bob, at: Chatroom.start)
      #expect(try await found("another", in: chat) == [])
    }
    #expect(try chat.findings() == [])
  }

  @Test("A search waits for the index only up to its limit")
  func waits() async throws {
    var limits = never
    limits.searchWait = .milliseconds(1)
    // A commit blocks the writer's thread, so the indexer never runs.
    let gate = CommitGate()
    let chat = try await Chatroom(path: folder.database, limits: limits, gate: gate)
    try await chat.send(1)
    gate.isClosed.value = true
    let held = queued { try await chat.store.recordLastSeen(chat.ada, at: Chatroom.start) }
    await gate.untilHeld()
    #expect(try await found("message", in: chat) == [])
    gate.open()
    try await held.value
  }

  @Test("A failure to write the index only delays search: no write fails, and a repair makes everything searchable")
  func failure() async throws {
    let notices = Box<[StoreNotice]>([])
    var chat = try await Chatroom(
      path: folder.database, onNotice: { notice in notices.update { $0.append(notice) } })
    try await chat.send(2)
    #expect(try await found("message", in: chat) == [2, 1])
    try await chat.store.pool.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE search_index") }
    for number in 0..<20 {
      _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: "edit \(number)", at: Chatroom.start)
      #expect(try await chat.store.append(chat.message(UInt64(5000 + number))).message.seq == number + 3)
    }
    while notices.value.isEmpty { await Task.yield() }
    try await chat.store.pool.writeWithoutTransaction { try $0.execute(sql: Self.emptyIndex) }
    chat.store.close()
    #expect(throws: Never.self) { try DatabaseCheck.repairSearch(folder.database) }
    #expect(try DatabaseCheck.run(folder.database).findings == [])
    chat = try await Chatroom(path: folder.database)
    #expect(try await found("hello", in: chat).count == 20)
    #expect(try await found("message", in: chat) == [2])
  }

  private static let emptyIndex = """
    CREATE VIRTUAL TABLE search_index USING fts5 (
      words, parts, facts, content = '', columnsize = 0, tokenize = "ascii tokenchars ':#'"
    )
    """

  @Test("A check finds messages missing from the index or too many in it; a repair without a running server fixes it")
  func repair() async throws {
    var chat = try await Chatroom(path: folder.database)
    try await chat.send(5)
    #expect(try await found("message", in: chat).count == 5)
    #expect(throws: StoreOpenError.inUse(path: folder.database)) { try DatabaseCheck.repairSearch(folder.database) }
    chat.store.close()
    let queue = try DatabaseQueue(path: folder.database)
    try await queue.write { database in
      let row = try #require(try Row.fetchOne(database, sql: "SELECT text, room, sender FROM messages WHERE seq = 3"))
      let number = try Int64.fetchOne(database, sql: "SELECT number FROM search_messages WHERE seq = 3") ?? 0
      let message = IndexedMessage(row[0], number: number, room: row[1], sender: row[2])
      try database.execute(
        sql: "INSERT INTO search_index (search_index, rowid, words, parts, facts) VALUES ('delete', ?, ?, ?, ?)",
        arguments: [message.rowid, message.words, message.parts, message.facts])
      try database.execute(
        sql: "INSERT INTO search_index (rowid, words, parts, facts) VALUES (?, ?, ?, ?)",
        arguments: [SearchIndex.rowid(77, room: 1), "x", "", ":m"])
    }
    try queue.close()
    let report = try DatabaseCheck.run(folder.database)
    #expect(report.misindexes && !report.isDamaged && report.findings.count == 2, "\(report.findings)")
    try DatabaseCheck.repairSearch(folder.database)
    #expect(try DatabaseCheck.run(folder.database).findings == [])
    chat = try await Chatroom(path: folder.database)
    #expect(try await found("message", in: chat) == [5, 4, 3, 2, 1])
  }

  @Test("The words of a long message are added and removed in portions")
  func longMessages() async throws {
    let chat = try await Chatroom(path: folder.database)
    let words = (0..<600).map { "word\(String($0, radix: 36))suffix" }
    _ = try await chat.store.append(chat.message(1, words.joined(separator: " ")))
    while try await count("search_words", in: chat) + count("search_added", in: chat) > 0 { await Task.yield() }
    #expect(try await count("search_terms", in: chat) == 600)
    #expect(try await found("ordfssuff", in: chat) == [1])
    _ = try await chat.store.edit(1, in: chat.room, by: chat.ada, text: "short", at: Chatroom.start)
    while try await count("search_words", in: chat) + count("search_changed", in: chat) > 0 { await Task.yield() }
    #expect(try await count("search_terms", in: chat) == 1)
    #expect(try await found("ordfssuff", in: chat) == [])
    #expect(try chat.findings() == [])
  }

  @Test("Words are checked one by one, so that many of them end in time")
  func wordsInTime() async throws {
    let chat = try await Chatroom(path: folder.database, limits: never)
    let left = try await chat.store.pool.write { database in
      try database.execute(sql: "INSERT INTO search_words (words) VALUES ('alpha beta gamma')")
      let hasMore = try SearchIndex(database: database).workOff { true }
      #expect(hasMore)
      return try String.fetchAll(database, sql: "SELECT words FROM search_words")
    }
    #expect(left == ["beta gamma"])
  }

  @Test(
    "Segments are merged while marks never end, so that FTS5 never merges many of them at once", .shows("control 6"))
  func mergesUnderLoad() async throws {
    let chat = try await Chatroom(path: folder.database, limits: never)
    try await chat.send(60)
    var limits = never
    limits.indexTime = .zero
    let indexer = SearchIndexer(limits: limits, notice: { _ in }, wake: {})
    let segments = try await chat.store.pool.writeWithoutTransaction { database in
      for _ in 0..<40 { try indexer.turn(on: database) }
      // The upper bits of a page's number are its segment's (fts5_index.c).
      return try Int.fetchOne(
        database, sql: "SELECT count(DISTINCT id >> 37) FROM search_index_data WHERE id > 10") ?? 0
    }
    #expect(try await count("search_added", in: chat) > 0)
    #expect(1..<16 ~= segments, "\(segments)")
  }
}
