import Chat
import Foundation
import GRDB
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Opening")
struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws(StoreOpenError) -> SQLiteStore {
    try SQLiteStore(path: folder.database, presence: NobodyIsOnline())
  }

  @Test("all files are for their owner's eyes, also those that were wider (SECURITY 16)")
  func modes() throws {
    try Data().write(to: URL(fileURLWithPath: folder.database))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.database)
    let store = try open()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["hubbub.sqlite", "hubbub.sqlite-shm", "hubbub.sqlite-wal", "hubbub.sqlite.lock"])
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    store.close()
  }

  @Test("a second opener is refused until the first has closed")
  func secondOpener() throws {
    let first = try open()
    #expect(throws: StoreOpenError.inUse(path: folder.database)) { try open() }
    first.close()
    try open().close()
  }

  @Test("a database of a newer program is refused and left as it is (SECURITY 22)")
  func newerSchema() throws {
    try open().close()
    try raw("INSERT INTO grdb_migrations VALUES ('v9')")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreOpenError.newerSchema(path: folder.database)) { try open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
  }

  @Test("another program's database is refused and left as it is")
  func foreign() throws {
    try raw("CREATE TABLE notes (text)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreOpenError.foreign(path: folder.database)) { try open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
  }

  @Test("a start that was killed before or within its first migration can be repeated (SECURITY 22)")
  func halfMade() throws {
    try DatabaseOpening.connect(folder.database, limits: StoreLimits()).close()
    try DatabaseOpening.connect(folder.database, limits: StoreLimits()).close()
    // The migrator makes its own table first, outside of the first migration's transaction.
    try raw("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    try open().close()
    #expect(try raw("SELECT count(*) FROM users") == 0)
  }

  @Test("a file that is no database is refused")
  func garbage() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreOpenError.notADatabase(path: folder.database)) { try open() }
  }

  @Test("a database whose schema is damaged is refused")
  func damaged() throws {
    try open().close()
    let file = URL(fileURLWithPath: folder.database)
    var bytes = try Data(contentsOf: file)
    // The b-tree header of the first page: the schema's table.
    for index in 100..<140 { bytes[index] = 0xFF }
    try bytes.write(to: file)
    #expect(throws: StoreOpenError.damaged(path: folder.database, backup: nil)) { try open() }
  }

  @Test("a missing folder, a folder in the database's place and a link are refused")
  func wrongPaths() throws {
    let missing = folder.path + "/no/hubbub.sqlite"
    #expect(throws: StoreOpenError.folderMissing(path: missing)) {
      try SQLiteStore(path: missing, presence: NobodyIsOnline())
    }
    let directory = folder.path + "/directory"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    #expect(throws: StoreOpenError.notADatabase(path: directory)) {
      try SQLiteStore(path: directory, presence: NobodyIsOnline())
    }
    let link = folder.path + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere")
    #expect {
      try SQLiteStore(path: link, presence: NobodyIsOnline())
    } throws: { error in
      if case .failed(link, _)? = error as? StoreOpenError { true } else { false }
    }
  }

  @Test("each failure is one line that names the file")
  func descriptions() {
    let path = "data/hubbub.sqlite"
    let failures: [StoreOpenError] = [
      .folderMissing(path: path), .notWritable(path: path), .inUse(path: path), .notADatabase(path: path),
      .foreign(path: path), .newerSchema(path: path), .damaged(path: path, backup: nil),
      .damaged(path: path, backup: "b"), .diskFull(path: path), .failed(path: path, reason: "why"),
    ]
    for failure in failures {
      #expect(failure.description.contains(path) && !failure.description.contains("\n"))
    }
    #expect(Set(failures.map(\.description)).count == failures.count)
  }

  /// Runs SQL on the file without the store; returns the first number that it gives.
  @discardableResult
  private func raw(_ sql: String) throws -> Int? {
    let queue = try DatabaseQueue(path: folder.database)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { database in
      guard sql.hasPrefix("SELECT") else {
        try database.execute(sql: sql)
        return nil
      }
      return try Int.fetchOne(database, sql: sql)
    }
  }
}
