import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Backing up", .timeLimit(.minutes(10)))
struct BackupTests {
  private let folder: TemporaryFolder
  private var backup: String { folder.path + "/copy.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Backups made during eight concurrent writers are sound, and contain everything acknowledged before they began",
    .shows("X1"))
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

  @Test(
    "A restored backup has exactly what was backed up; the former database and its WAL are kept", .shows("X1"))
  func restoring() async throws {
    var chat = try await Chatroom(path: folder.database)
    try await chat.send(10)
    let atBackup = try await chat.page(.newest(limit: 50)).messages
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    try await chat.send(5, from: 2000)
    let lastEvent = try await chat.store.lastEventID()
    // The state after a kill: the newest messages are only in the WAL.
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

  @Test("A backup that violates an invariant can still be restored, with a warning")
  func warning() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(3)
    chat.store.close()
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    try sql("DELETE FROM messages WHERE seq = 2", on: backup)
    let restored = try DatabaseRestore.run(backup, to: folder.database)
    #expect(restored.warnings.contains { $0.contains("without a gap") })
    #expect(try await Chatroom(path: folder.database).page(.newest(limit: 9)).messages.map(\.seq) == [1, 3])
  }

  @Test("Restoring a backup twice over an unreadable database never issues an event number twice")
  func numbersOnce() async throws {
    var chat = try await Chatroom(path: folder.database)
    try await chat.send(1)
    chat.store.close()
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    var given: [EventID] = []
    for number in 0..<3 {
      try Data(repeating: 0xFF, count: 9000).write(to: URL(fileURLWithPath: folder.database))
      _ = try DatabaseRestore.run(backup, to: folder.database)
      chat = try await Chatroom(path: folder.database)
      let before = try await chat.store.lastEventID()
      try await chat.send(10, from: UInt64(5000 + 100 * number))
      #expect(before > given.last ?? 0, "restore \(number)")
      given.append(try await chat.store.lastEventID())
      chat.store.close()
    }
    #expect(given.allSatisfy { $0 < 1 << 53 }, "JavaScript counts so far")
  }

  @Test("Two concurrent backups to the same name are both complete")
  func twoAtOnce() async throws {
    let chat = try await Chatroom(path: folder.database)
    try await chat.send(300)
    let (source, target) = (folder.database, backup)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<5 {
            let copied = try DatabaseBackup.make(of: source, at: target)
            #expect(copied.messages == 300)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try DatabaseCheck.run(backup).findings == [])
    chat.store.close()
    #expect(try !names().contains { $0.hasSuffix(".partial") })
  }

  @Test("A database restored by root belongs to the owner of the folder", .enabled(if: geteuid() == 0))
  func owner() async throws {
    let chat = try await Chatroom(path: folder.database)
    chat.store.close()
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    let data = folder.path + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    try #require(chown(data, 4321, 4322) == 0)
    _ = try DatabaseRestore.run(backup, to: data + "/hubbub.sqlite")
    for name in try FileManager.default.contentsOfDirectory(atPath: data) {
      let attributes = try FileManager.default.attributesOfItem(atPath: data + "/" + name)
      #expect(attributes[.ownerAccountID] as? Int == 4321, "\(name)")
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test(
    "A restore ends all sessions, subscriptions and invitations, since they may have been ended meanwhile",
    .shows("X1", "control 9"))
  func whatLetsIn() async throws {
    let chat = try await Chatroom(path: folder.database)
    let now = Chatroom.start
    let session = Session(
      id: SessionID(at: now), userID: chat.ada, secretHash: [UInt8](repeating: 7, count: 32), createdAt: now,
      expiresAt: now.adding(seconds: 3600), userAgent: "")
    try await chat.store.createSession(session)
    try await chat.store.setPushSubscription(
      PushSubscription(
        sessionID: session.id, userID: chat.ada, endpoint: "https://push.example/1",
        publicKey: [UInt8](repeating: 4, count: 65), secret: [UInt8](repeating: 5, count: 16)), limit: 5, at: now)
    let token = [UInt8](repeating: 9, count: 32)
    _ = try await chat.store.createInvitation(
      NewInvitation(id: id(60), secretHash: token, roomID: nil, inviterID: chat.ada, createdAt: now), limit: 5)
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    chat.store.close()

    _ = try DatabaseRestore.run(backup, to: folder.database)
    let store = try SQLiteStore(path: folder.database)
    defer { store.close() }
    #expect(try await store.session(secretHash: session.secretHash, at: now) == nil)
    #expect(try await store.pushSubscribers().isEmpty)
    await #expect(throws: ChatError.self) { try await store.invitation(secretHash: token, at: now) }
    #expect(try await store.user(chat.ada) != nil)
  }

  @Test(
    "After a restore no reader's position is mistaken for one in the new log: all load their state again",
    .shows("X1"))
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

  @Test("A restore is refused while the data is in use, and from an unsound backup; nothing changes")
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
    var bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
    for page in 1..<bytes.count / 4096 { bytes[page * 4096] = 0xFF }
    try bytes.write(to: URL(fileURLWithPath: backup))
    #expect {
      try DatabaseRestore.run(backup, to: folder.database)
    } throws: { error in
      if case .damaged? = error as? StoreOpenError { return true }
      if case .notSound? = error as? OperatingError { return true }
      return false
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    #expect(try names() == ["copy.sqlite", "hubbub.sqlite", "hubbub.sqlite.backup", "hubbub.sqlite.lock"])
  }

  @Test("A backup replaces an older one, but no other file and not the data itself; it needs data and a folder")
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
    #expect {
      try DatabaseBackup.make(of: folder.database, at: folder.path + "/no/b")
    } throws: { error in
      guard case .folderMissing? = error as? StoreOpenError else { return false }
      return true
    }
    let inFolder = try DatabaseBackup.make(of: folder.database, at: folder.path).path
    #expect(inFolder.hasPrefix(folder.path + "/hubbub-20") && inFolder.hasSuffix("Z.sqlite"))
    let mode = try FileManager.default.attributesOfItem(atPath: inFolder)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    chat.store.close()
  }

  @Test("A damaged database is refused, naming its newest backup", .shows("control 22"))
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
    #expect(throws: expected) { try SQLiteStore(path: folder.database) }
    #expect(expected.description.hasSuffix("hubbub restore " + backup))
    #expect(try DatabaseRestore.run(backup, to: folder.database).summary.messages == 1)
  }

  /// The files in the folder, without those that SQLite keeps beside an open database and may leave behind, empty.
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
