import Chat
import Foundation
import GRDB
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Backing up", .timeLimit(.minutes(2)))
struct BackupTests {
  private let folder: TemporaryFolder
  private var backup: String { folder.path + "/copy.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  @Test("X1 Copies made while eight write are sound, and each holds at least what was acknowledged before it began")
  func underLoad() async throws {
    let chat = try await Chatroom(path: folder.database)
    let acknowledged = Box(0)
    let writers = Task {
      try await withThrowingTaskGroup { group in
        for writer in 0..<8 {
          group.addTask {
            var index: UInt64 = 0
            while !Task.isCancelled {
              let sent = try await chat.store.append(chat.message(UInt64(1000 + writer) * 1_000_000 + index))
              acknowledged.update { $0 = max($0, sent.message.seq) }
              index += 1
            }
          }
        }
        try await group.waitForAll()
      }
    }
    for number in 1...5 {
      let before = acknowledged.value
      while acknowledged.value < before + 20 { await Task.yield() }
      let known = acknowledged.value
      let summary = try DatabaseBackup.make(of: folder.database, at: backup)
      #expect(summary.messages >= known && summary.path == backup && summary.rooms == 1, "copy \(number)")
      #expect(try DatabaseCheck.run(backup).findings == [])
    }
    writers.cancel()
    try await writers.value
    chat.store.close()
    #expect(try names() == ["copy.sqlite", "hubbub.sqlite", "hubbub.sqlite.backup", "hubbub.sqlite.lock"])
  }

  @Test("X1 A restored backup opens with exactly what it held; what was there before is kept, its WAL included")
  func restoring() async throws {
    var chat = try await Chatroom(path: folder.database)
    try await chat.send(10)
    let atBackup = try await chat.page(.newest(limit: 50)).messages
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    try await chat.send(5, from: 2000)
    let lastEvent = try await chat.store.lastEventID()
    // As a kill leaves it: the newest messages stand in the WAL alone.
    let killed = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: killed.database + suffix)
    }
    chat.store.close()

    let restored = try DatabaseRestore.run(backup, to: killed.database)
    #expect(restored.summary.messages == 10)
    chat = try await Chatroom(path: killed.database)
    #expect(try await chat.page(.newest(limit: 50)).messages == atBackup)
    #expect(try await chat.store.append(chat.message(2001)).message.seq == 11)
    chat.store.close()
    let former = try #require(restored.former)
    #expect(try DatabaseCheck.run(former).summary?.messages == 15)
    #expect(lastEvent < DatabaseRestore.eventJump)
  }

  @Test("X1 After a restore no reader's place in the log is taken for one in the new log: all are told to read anew")
  func readersBegin() async throws {
    var chat = try await Chatroom(path: folder.database)
    try await chat.send(3)
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    try await chat.send(40, from: 2000)
    let places = [0, 1, 2, try await chat.store.lastEventID()]
    chat.store.close()
    _ = try DatabaseRestore.run(backup, to: folder.database)
    chat = try await Chatroom(path: folder.database)
    try await chat.send(100, from: 3000)
    for place in places {
      let replay = try await chat.store.events(after: place, for: chat.ada, limit: 10)
      #expect(!replay.reachesBack && replay.events.isEmpty, "from \(place)")
    }
    chat.store.close()
  }

  @Test("A restore is refused while a program has the data open, and from what is no sound backup; nothing changes")
  func refusals() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(3)
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    #expect(throws: StoreOpenError.inUse(path: folder.database)) {
      try DatabaseRestore.run(backup, to: folder.database)
    }
    chat.store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))

    let missing = folder.path + "/missing.sqlite"
    #expect(throws: OperatingError.noData(path: missing)) { try DatabaseRestore.run(missing, to: folder.database) }
    try sql("INSERT INTO grdb_migrations VALUES ('later')", on: backup)
    #expect(throws: StoreOpenError.newerSchema(path: backup)) { try DatabaseRestore.run(backup, to: folder.database) }
    try sql("DELETE FROM grdb_migrations WHERE identifier = 'later'", on: backup)
    try sql("DELETE FROM messages WHERE seq = 2", on: backup)
    #expect {
      try DatabaseRestore.run(backup, to: folder.database)
    } throws: { error in
      guard case .notSound(_, let finding)? = error as? OperatingError else { return false }
      return finding.contains("without a gap")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    #expect(try names() == ["copy.sqlite", "hubbub.sqlite", "hubbub.sqlite.backup", "hubbub.sqlite.lock"])
  }

  @Test("A backup replaces an older one, and neither another file nor the data itself; it needs data, and a place")
  func targets() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(1)
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    try await chat.send(1, from: 2000)
    #expect(try DatabaseBackup.make(of: folder.database, at: backup).messages == 2)
    let letter = folder.path + "/letter.txt"
    try Data("dear".utf8).write(to: URL(fileURLWithPath: letter))
    for path in [letter, folder.database] {
      #expect(throws: OperatingError.inTheWay(path: path)) { try DatabaseBackup.make(of: folder.database, at: path) }
    }
    #expect(throws: OperatingError.noData(path: letter + "x")) { try DatabaseBackup.make(of: letter + "x", at: backup) }
    #expect(throws: StoreOpenError.folderMissing(path: folder.path + "/no/b.partial")) {
      try DatabaseBackup.make(of: folder.database, at: folder.path + "/no/b")
    }
    let inFolder = try DatabaseBackup.make(of: folder.database, at: folder.path).path
    #expect(inFolder.hasPrefix(folder.path + "/hubbub-20") && inFolder.hasSuffix("Z.sqlite"))
    let mode = try FileManager.default.attributesOfItem(atPath: inFolder)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    chat.store.close()
  }

  @Test("SECURITY 22 A damaged database is refused with the name of its newest backup")
  func damagedNamesBackup() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(1)
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    chat.store.close()
    let file = URL(fileURLWithPath: folder.database)
    var bytes = try Data(contentsOf: file)
    for index in 100..<140 { bytes[index] = 0xFF }
    try bytes.write(to: file)
    let expected = StoreOpenError.damaged(path: folder.database, backup: backup)
    #expect(throws: expected) { try SQLiteStore(path: folder.database, presence: NobodyIsOnline()) }
    #expect(expected.description.hasSuffix("hubbub restore " + backup))
    #expect(try DatabaseRestore.run(backup, to: folder.database).summary.messages == 1)
  }

  /// What stands in the folder, less what SQLite keeps beside an open database and may leave behind, empty.
  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
      .subtracting(["hubbub.sqlite-wal", "hubbub.sqlite-shm"])
  }

  private func sql(_ statement: String, on path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: statement) }
    try queue.close()
  }
}
