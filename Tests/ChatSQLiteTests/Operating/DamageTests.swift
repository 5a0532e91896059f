import Chat
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Damage")
struct DamageTests {
  /// A database with content and a backup; for each table and index, the number of a page with a node of its tree; and
  /// the page size.
  private func used() async throws -> (folder: TemporaryFolder, backup: String, nodes: [Int], size: Int) {
    let folder = try TemporaryFolder()
    let last = try #require(ReleasedSchema.all.last)
    try FileManager.default.copyItem(atPath: last.file.path, toPath: folder.database)
    let store = try SQLiteStore(path: folder.database)
    store.close()
    let backup = folder.path + "/copy.sqlite"
    _ = try DatabaseBackup.make(of: folder.database, at: backup)
    let queue = try DatabaseQueue(path: folder.database)
    let size = try await queue.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } ?? 0
    let nodes = try await queue.read {
      try Int.fetchAll(
        $0,
        sql: "SELECT max(pageno) FROM dbstat WHERE pagetype IN ('leaf', 'internal') GROUP BY name ORDER BY max(pageno)")
    }
    try queue.close()
    return (folder, backup, nodes, size)
  }

  /// Overwrites the byte at `offset`; returns the former one.
  private func put(_ byte: UInt8, at offset: Int, in path: String) throws -> UInt8 {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    let former = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data([byte]))
    return former
  }

  @Test(
    "A flipped byte in a page header of any table or index is found before the start, which names the newest backup",
    .shows("control 22")
  )
  func everyPage() async throws {
    let (folder, backup, nodes, size) = try await used()
    #expect(nodes.count > 50)
    // The first page starts with the file's own header of a hundred bytes.
    for page in nodes where page > 1 {
      let offset = (page - 1) * size
      let former = try put(0xFF, at: offset, in: folder.database)
      #expect(throws: StoreOpenError.damaged(path: folder.database, backup: backup), "page \(page)") {
        try SQLiteStore(path: folder.database).close()
      }
      _ = try put(former, at: offset, in: folder.database)
    }
    try SQLiteStore(path: folder.database).close()
  }

  @Test(
    "A database too large to check before the start is checked afterwards",
    .shows("control 22"))
  func afterwards() async throws {
    let (folder, backup, _, size) = try await used()
    var limits = StoreLimits()
    limits.checkedBeforeStart = 0
    let sound = try SQLiteStore(path: folder.database, limits: limits)
    sound.checkInBackground { Issue.record("sound data were called damaged: \($0)") }
    sound.close()
    // Opening does not read reactions.
    let queue = try DatabaseQueue(path: folder.database)
    let page = try await queue.read { try Int.fetchOne($0, sql: "SELECT pageno FROM dbstat WHERE name = 'reactions'") }
    try queue.close()
    _ = try put(0xFF, at: (try #require(page) - 1) * size, in: folder.database)
    let store = try SQLiteStore(path: folder.database, limits: limits)
    let damage = await withCheckedContinuation { continuation in
      store.checkInBackground { continuation.resume(returning: $0) }
    }
    #expect(damage == .damaged(path: folder.database, backup: backup))
    store.close()

    limits.checkedAfterStart = 1
    let big = try SQLiteStore(path: folder.database, limits: limits)
    big.checkInBackground { Issue.record("what is too big is left to the operator: \($0)") }
    big.close()
  }
}
