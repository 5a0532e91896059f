import Chat
import Foundation
import GRDB
import Synchronization

/// Receives each slow statement: its SQL and its duration.
package typealias SlowQueryObserver = @Sendable (_ sql: String, _ time: Duration) -> Void

/// The store, in a single SQLite file.
///
/// Writes go through `GroupCommit`, one thread for all. Small reads run on the caller's thread, each in a transaction
/// of its own; searches and long replays suspend and run on separate threads.
package final class SQLiteStore: ChatStore {
  /// The path of the backup made before the schema was upgraded; nil if it was current.
  package let backupBeforeUpgrade: String?
  let pool: DatabasePool
  let limits: StoreLimits
  let writer: GroupCommit
  private let lock: DataLock
  private let longReads: LongReads
  private let readers: Readers
  private let check: BackgroundCheck
  let caches = ReadCaches()
  private let temporaryFolder: URL?
  private let isClosed = Mutex(false)

  /// Opens the database at `path`, creating it if it is missing; its folder must exist. `:memory:` opens a new one in a
  /// temporary folder that is removed when the store is closed, for tests. `onSlowQuery` receives, on any thread, the
  /// SQL without values of each statement that took longer than `limits.slowQuery`; `onNotice` receives what an
  /// operator should know. Throws `StoreOpenError`.
  package convenience init(
    path: String, limits: StoreLimits = StoreLimits(), onSlowQuery: SlowQueryObserver? = nil,
    onNotice: @escaping StoreObserver = { _ in }
  ) throws(StoreOpenError) {
    try self.init(path: path, limits: limits, onSlowQuery: onSlowQuery, onNotice: onNotice) { try $0.run("COMMIT") }
  }

  /// As above, with the function that commits a transaction, which tests replace to make it fail.
  init(
    path: String, limits: StoreLimits, onSlowQuery: SlowQueryObserver? = nil,
    onNotice: @escaping StoreObserver = { _ in }, commit: @escaping @Sendable (Database) throws -> Void
  ) throws(StoreOpenError) {
    var path = path
    var temporaryFolder: URL?
    if path == ":memory:" {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hubbub-\(UUID().uuidString)")
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        throw .failed(path: folder.path, reason: "\(error)")
      }
      path = folder.appendingPathComponent("hubbub.sqlite").path
      temporaryFolder = folder
    }
    lock = try DataLock(path: path + ".lock", of: path)
    let opened = try DatabaseOpening.open(path, limits: limits, onSlowQuery: onSlowQuery)
    pool = opened.pool
    readers = Readers(of: pool)
    check = BackgroundCheck(path: path)
    backupBeforeUpgrade = opened.backup
    longReads = LongReads(atOnce: limits.longReads)
    writer = GroupCommit(
      pool: pool, caches: caches, limits: limits, longReads: longReads, notice: onNotice, commit: commit)
    self.limits = limits
    self.temporaryFolder = temporaryFolder
  }

  deinit {
    close()
  }

  /// Performs queued writes, checkpoints the WAL, closes the database and releases the lock; blocks until then.
  /// Idempotent. Later calls throw `.unavailable`.
  package func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    check.stop()
    writer.stop()
    longReads.goOn()
    readers.close()
    // A checkpoint or close that fails loses nothing: the WAL is read at the next start.
    try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try? pool.close()
    lock.release()
    if let temporaryFolder { try? FileManager.default.removeItem(at: temporaryFolder) }
  }

  /// The writer's counters. Callable from any thread.
  package var writeStatistics: WriteStatistics { writer.statistics }

  package var refusesWrites: Bool { writer.statistics.refusesWrites }

  /// The free space on the disk; nil if the system cannot tell.
  package var freeBytes: Int? { DiskSpace(at: DataFile.folder(of: pool.path))?.free }

  /// The size of the database and of its WAL on disk, in bytes.
  package var sizes: (database: Int, wal: Int) {
    (DataFile.size(pool.path), DataFile.size(pool.path + "-wal"))
  }

  /// Checks the database in the background, if it was too large to check when opened but not too large for this.
  /// `onDamage` is called at most once, on a separate thread, if its structures are damaged.
  package func checkInBackground(onDamage: @escaping @Sendable (StoreOpenError) -> Void) {
    let size = DataFile.size(pool.path)
    guard size > limits.checkedBeforeStart, size <= limits.checkedAfterStart else { return }
    check.start(onDamage: onDamage)
  }

  package func observeCommits(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void) {
    writer.observe(observer)
  }

  /// Reads a consistent state on the caller's thread; for reads well under a millisecond.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try readers.read { database in
        // Starts the transaction in SQL: GRDB's own way costs more than most of these reads.
        try database.run("BEGIN")
        defer { try? database.run("ROLLBACK") }
        return try body(database)
      }
    } catch {
      throw ChatError(database: error)
    }
  }

  /// Reads a consistent state on another thread; for reads that may take longer.
  func readElsewhere<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await longReads.run { try self.read(body) }
  }

  /// Writes durably, grouped with other waiting writes. With `usesReserve`, also when only the disk's reserve is left.
  func write<Value: Sendable>(
    usesReserve: Bool = false, _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await writer.write(usesReserve: usesReserve, body)
  }
}
