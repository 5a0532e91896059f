import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Checking")
struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A sound database has no findings, even while it is open; the summary counts its content", .shows("X1"))
  func sound() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(7)
    let report = try DatabaseCheck.run(folder.database)
    #expect(report.findings == [])
    let summary = try #require(report.summary)
    #expect(summary.accounts == 3 && summary.rooms == 1 && summary.messages == 7)
    #expect(summary.lastEventID == (try await chat.store.lastEventID()))
    #expect(summary.description.hasPrefix(folder.database + ": 3 accounts, 1 rooms, 7 messages, last event "))
    chat.store.close()
  }

  @Test("A check reads one table at a time, so that the WAL can be reset in between", .shows("X1"))
  func pieces() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(3)
    let transactions = Box(0)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { database in
      database.trace { if "\($0)".hasPrefix("BEGIN") { transactions.update { $0 += 1 } } }
    }
    let reader = try DatabaseQueue(path: folder.database, configuration: configuration)
    #expect(try DatabaseCheck.report(of: reader, path: folder.database).findings == [])
    let tables = try await reader.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0") ?? 0
    }
    #expect(tables > 20 && transactions.value > tables)
  }

  @Test(
    "Each violated invariant is found", .shows("X1"),
    arguments: [
      ("DELETE FROM messages WHERE seq = 2", "without a gap"),
      ("DELETE FROM messages WHERE seq = 3", "without a gap"),
      ("UPDATE rooms SET last_seq = 4", "without a gap"),
      ("UPDATE memberships SET read_seq = 9, delivered_seq = 9", "not written"),
      ("DELETE FROM memberships WHERE member = 1", "two members"),
      ("UPDATE rooms SET kind = 'group'", "one owner"),
      ("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'events'", "the log's own count"),
      ("PRAGMA foreign_keys = OFF; DELETE FROM users WHERE key = 2", "leads nowhere"),
    ])
  func broken(statement: String, words: String) async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(3)
    chat.store.close()
    let queue = try DatabaseQueue(path: folder.database)
    try await queue.writeWithoutTransaction { try $0.execute(sql: statement) }
    try queue.close()
    let report = try DatabaseCheck.run(folder.database)
    #expect(report.findings.contains { $0.contains(words) }, "\(report.findings)")
  }

  @Test("Bytes that changed on disk are found", .shows("control 22"))
  func flipped() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(200)
    chat.store.close()
    let file = URL(fileURLWithPath: folder.database)
    let whole = try Data(contentsOf: file)
    // In each page's first bytes, within the page and cell headers.
    var found = 0
    let pages = whole.count / 4096
    for page in 1..<pages {
      var bytes = whole
      for index in 0..<8 { bytes[page * 4096 + index] ^= 0x5A }
      try bytes.write(to: file)
      let isFound: Bool
      do { isFound = try !DatabaseCheck.run(folder.database).findings.isEmpty } catch { isFound = true }
      if isFound { found += 1 }
    }
    #expect(found == pages - 1)
  }
}
