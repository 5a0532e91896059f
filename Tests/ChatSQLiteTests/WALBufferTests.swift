import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("WAL buffer", .timeLimit(.minutes(1)))
struct WALBufferTests {
  @Test("a connection's log goes through the buffer, its database does not")
  func wraps() throws {
    let folder = try TemporaryFolder()
    #expect(WALBuffer.install() && WALBuffer.install())
    let queue = try open(folder.database)
    try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    queue.inDatabase { database in
      let main = methods(SQLITE_FCNTL_FILE_POINTER, database)
      let log = methods(SQLITE_FCNTL_JOURNAL_POINTER, database)
      #expect(main != nil && log != nil && main != log)
    }
  }

  /// What a copy of the files shows is what a program that is killed leaves; each commit must be in it, and nothing that
  /// was taken back. Small caches make SQLite write pages before the commit, read them back and write over them.
  @Test("random transactions, taken back in part or whole, are to others what SQLite says they are", arguments: 0..<12)
  func model(seed: UInt64) throws {
    WALBuffer.install()
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.database
    let writer = try open(path)
    let synchronous = ["FULL", "NORMAL", "OFF"][Int(random.next() % 3)]
    try writer.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
      try database.execute(sql: "PRAGMA wal_autocheckpoint = \(seed % 2 == 0 ? 0 : 40)")
      try database.execute(sql: "PRAGMA cache_size = \(seed % 3 == 0 ? 6 : 500)")
      try database.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB); CREATE INDEX i ON t (b)")
    }
    let reader = try open(path)
    var model: [Int64: Data] = [:]
    for round in 0..<40 {
      let before = model
      let isKept = random.next() % 4 != 0
      try writer.writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN IMMEDIATE")
        for _ in 0..<random.next() % 6 {
          let saved = model
          try database.execute(sql: "SAVEPOINT s")
          for _ in 0..<random.next() % 40 { try change(&model, database, &random) }
          if random.next() % 3 == 0 {
            try database.execute(sql: "ROLLBACK TO s")
            model = saved
          }
          try database.execute(sql: "RELEASE s")
        }
        try database.execute(sql: isKept ? "COMMIT" : "ROLLBACK")
      }
      if !isKept { model = before }
      #expect(try reader.read(rows) == model, "seed \(seed), round \(round)")
      if random.next() % 8 == 0 { try writer.writeWithoutTransaction { _ = try $0.checkpoint(.restart) } }
      guard round % 10 == 9 else { continue }
      let copy = "\(folder.path)/copy-\(round).sqlite"
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
      let left = try open(copy)
      #expect(try left.read(rows) == model, "seed \(seed), the copy of round \(round)")
      #expect(try left.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }
  }

  private func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func change(_ model: inout [Int64: Data], _ database: Database, _ random: inout SeededRandom) throws {
    let key = Int64(random.next() % 300)
    if random.next() % 4 == 0 {
      try database.execute(sql: "DELETE FROM t WHERE a = ?", arguments: [key])
      model[key] = nil
    } else {
      let value = Data(repeating: UInt8(random.next() % 256), count: Int(random.next() % 3000))
      try database.execute(sql: "INSERT OR REPLACE INTO t VALUES (?, ?)", arguments: [key, value])
      model[key] = value
    }
  }

  private func rows(_ database: Database) throws -> [Int64: Data] {
    Dictionary(
      uniqueKeysWithValues: try Row.fetchAll(database, sql: "SELECT a, b FROM t").map { ($0["a"], $0["b"]) })
  }

  /// The methods of one of a connection's files.
  private func methods(_ which: CInt, _ database: Database) -> UnsafePointer<sqlite3_io_methods>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(database.sqliteConnection, "main", which, &file) == SQLITE_OK else { return nil }
    return file?.pointee.pMethods
  }
}
