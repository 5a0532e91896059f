import Chat
import Foundation
import GRDB
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("Damage")
struct DamageTests {
  /// A database that was in use, with a backup; for each table and index the number of a page that
  /// holds a node of its tree, and the pages' size.
  private func used() async throws -> (folder: TemporaryFolder, backup: String, nodes: [Int], size: Int) {
    let folder = try TemporaryFolder()
    let last = try #require(ReleasedSchema.all.last)
    try FileManager.default.copyItem(atPath: last.file.path, toPath: folder.database)
    let store = try SQLiteStore(path: folder.database, presence: NobodyIsOnline())
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

  /// Writes `byte` over what stands at `offset`; returns what that was.
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
    "SECURITY 22 A flipped byte in a page's head of any table or index is found before the start, which names the newest backup"
  )
  func everyPage() async throws {
    let (folder, backup, nodes, size) = try await used()
    #expect(nodes.count > 50)
    // The first page begins with the file's own head: a hundred bytes.
    for page in nodes where page > 1 {
      let offset = (page - 1) * size
      let former = try put(0xFF, at: offset, in: folder.database)
      #expect(throws: StoreOpenError.damaged(path: folder.database, backup: backup), "page \(page)") {
        try SQLiteStore(path: folder.database, presence: NobodyIsOnline()).close()
      }
      _ = try put(former, at: offset, in: folder.database)
    }
    try SQLiteStore(path: folder.database, presence: NobodyIsOnline()).close()
  }

  @Test("SECURITY 22 A database that is too big to be looked through before the start is looked through afterwards")
  func afterwards() async throws {
    let (folder, backup, _, size) = try await used()
    var limits = StoreLimits()
    limits.checkedBeforeStart = 0
    let sound = try SQLiteStore(path: folder.database, presence: NobodyIsOnline(), limits: limits)
    sound.checkInBackground { Issue.record("sound data were called damaged: \($0)") }
    sound.close()
    // Opening does not read what people reacted with.
    let queue = try DatabaseQueue(path: folder.database)
    let page = try await queue.read { try Int.fetchOne($0, sql: "SELECT pageno FROM dbstat WHERE name = 'reactions'") }
    try queue.close()
    _ = try put(0xFF, at: (try #require(page) - 1) * size, in: folder.database)
    let store = try SQLiteStore(path: folder.database, presence: NobodyIsOnline(), limits: limits)
    let damage = await withCheckedContinuation { continuation in
      store.checkInBackground { continuation.resume(returning: $0) }
    }
    #expect(damage == .damaged(path: folder.database, backup: backup))
    store.close()

    limits.checkedAfterStart = 1
    let big = try SQLiteStore(path: folder.database, presence: NobodyIsOnline(), limits: limits)
    big.checkInBackground { Issue.record("what is too big is left to the operator: \($0)") }
    big.close()
  }
}
