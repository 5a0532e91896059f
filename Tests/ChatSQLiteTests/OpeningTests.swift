import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Opening")
struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws(StoreOpenError) -> SQLiteStore {
    try SQLiteStore(path: folder.database)
  }

  @Test("only the owner can read the files, even if their modes were wider before", .shows("control 16"))
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

  @Test("a database of a newer version is refused and left unchanged", .shows("control 22"))
  func newerSchema() throws {
    try open().close()
    try raw("INSERT INTO grdb_migrations VALUES ('v9')")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreOpenError.newerSchema(path: folder.database)) { try open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
  }

  @Test(
    "the data know which GitHub their people are of; another one is refused, unless it is the same that has moved",
    .shows("control 14"))
  func otherGitHub() async throws {
    let account = GitHubAccount(id: 583_231, login: "octocat", type: "User", avatarURL: "x")
    var store = try open()
    // Until something of it is stored, any will do.
    try await store.bind(toGitHub: "github.com")
    try await store.bind(toGitHub: "demo")
    try await store.saveGitHubAccount(account, at: Chatroom.start)
    let refusal = StoreOpenError.otherGitHub(path: folder.database, known: "demo", asked: "github.com")
    await #expect(throws: refusal) { try await store.bind(toGitHub: "github.com") }
    #expect("\(refusal)".contains("--data") && "\(refusal)".contains("--github"))
    store.close()
    store = try open()
    await #expect(throws: refusal) { try await store.bind(toGitHub: "github.com") }
    try await store.bind(toGitHub: "demo")
    await #expect(throws: StoreOpenError.self) { try await store.bind(toGitHub: "git.example.com", formerly: "other") }
    try await store.bind(toGitHub: "git.example.com", formerly: "demo")
    try await store.bind(toGitHub: "git.example.com")
    await #expect(throws: StoreOpenError.self) { try await store.bind(toGitHub: "demo") }
    store.close()
  }

  @Test("another program's database is refused and left unchanged")
  func foreign() throws {
    try raw("CREATE TABLE notes (text)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreOpenError.foreign(path: folder.database)) { try open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
  }

  @Test("a start killed before or within its first migration can be repeated", .shows("control 22"))
  func halfMade() throws {
    try DatabaseOpening.connect(folder.database, limits: StoreLimits()).close()
    try DatabaseOpening.connect(folder.database, limits: StoreLimits()).close()
    // The migrator creates its own table first, outside the first migration's transaction.
    try raw("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    try open().close()
    #expect(try raw("SELECT count(*) FROM users") == 0)
  }

  @Test("a file that is not a database is refused")
  func garbage() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreOpenError.notADatabase(path: folder.database)) { try open() }
  }

  @Test("a database with a damaged schema is refused")
  func damaged() throws {
    try open().close()
    let file = URL(fileURLWithPath: folder.database)
    var bytes = try Data(contentsOf: file)
    // The b-tree header of the first page: the schema's table.
    for index in 100..<140 { bytes[index] = 0xFF }
    try bytes.write(to: file)
    #expect(throws: StoreOpenError.damaged(path: folder.database, backup: nil)) { try open() }
  }

  @Test("a missing folder, a folder in place of the database and a symbolic link are refused")
  func wrongPaths() throws {
    let missing = folder.path + "/no/hubbub.sqlite"
    #expect(throws: StoreOpenError.folderMissing(path: missing)) {
      try SQLiteStore(path: missing)
    }
    let directory = folder.path + "/directory"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    #expect(throws: StoreOpenError.notADatabase(path: directory)) {
      try SQLiteStore(path: directory)
    }
    let link = folder.path + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere")
    #expect {
      try SQLiteStore(path: link)
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

  /// Runs SQL on the file without the store; returns the first number in its result.
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
