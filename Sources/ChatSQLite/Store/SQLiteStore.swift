// The functions are documented where they are promised: at ChatStore.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Chat
import Foundation
import GRDB
import Synchronization

/// Hears of a statement that took long: its SQL and its time.
public typealias SlowQueryObserver = @Sendable (_ sql: String, _ time: Duration) -> Void

/// The store on one SQLite file.
///
/// Writes go through `GroupCommit`, one thread for all. Small reads run on the caller's thread, each in a transaction
/// of its own that sees one state; searches and long replays suspend and run on threads of their own.
public final class SQLiteStore: ChatStore {
  /// Where the former state is kept, if opening had to change the schema.
  public let backupBeforeUpgrade: String?
  let pool: DatabasePool
  let limits: StoreLimits
  private let writer: GroupCommit
  private let lock: DataLock
  private let longReads: LongReads
  private let openReads = OpenReads()
  let sessions = SessionCache()
  private let temporaryFolder: URL?
  private let isClosed = Mutex(false)

  /// Opens the database at `path`, which is made where it is missing; its folder must exist. `:memory:` opens a fresh
  /// one in a temporary folder that goes when the store is closed: for tests. `presence` is asked whenever an event
  /// is encoded, on the writer's thread. `onSlowQuery` is told, on any thread, of each statement that took longer than
  /// `limits.slowQuery`: its SQL, which holds no values. Throws `StoreOpenError`.
  public convenience init(
    path: String, presence: any PresenceReading, limits: StoreLimits = StoreLimits(),
    onSlowQuery: SlowQueryObserver? = nil
  ) throws(StoreOpenError) {
    try self.init(path: path, presence: presence, limits: limits, onSlowQuery: onSlowQuery) { try $0.run("COMMIT") }
  }

  /// As above, with what ends a transaction: tests let it fail.
  init(
    path: String, presence: any PresenceReading, limits: StoreLimits, onSlowQuery: SlowQueryObserver? = nil,
    commit: @escaping @Sendable (Database) throws -> Void
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
    backupBeforeUpgrade = opened.backup
    writer = GroupCommit(pool: pool, presence: presence, sessions: sessions, limits: limits, commit: commit)
    longReads = LongReads(atOnce: limits.longReads)
    self.limits = limits
    self.temporaryFolder = temporaryFolder
  }

  deinit {
    close()
  }

  /// Writes what is queued, moves the WAL into the database and closes it; gives the lock back; blocks until then.
  /// Again: no effect. All that is asked afterwards is `.unavailable`.
  public func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    writer.stop()
    openReads.close()
    // A checkpoint or close that fails loses nothing: the WAL is read at the next start.
    try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try? pool.close()
    lock.release()
    if let temporaryFolder { try? FileManager.default.removeItem(at: temporaryFolder) }
  }

  /// What the writer has done so far. Callable from any thread.
  public var writeStatistics: WriteStatistics { writer.statistics }

  /// The size of the database and of its WAL on disk, in bytes.
  public var sizes: (database: Int, wal: Int) {
    func size(_ path: String) -> Int {
      ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
    }
    return (size(pool.path), size(pool.path + "-wal"))
  }

  public func observeCommits(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void) {
    writer.observe(observer)
  }

  /// Reads one state on the caller's thread: for what takes well under a millisecond.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try openReads.begin()
    defer { openReads.end() }
    do {
      return try pool.unsafeRead { database in
        // A transaction in SQLite's own words: GRDB's costs more than most of what is read here.
        try database.run("BEGIN")
        defer { try? database.run("ROLLBACK") }
        return try body(database)
      }
    } catch {
      throw ChatError(database: error)
    }
  }

  /// Reads one state on another thread: for what may take longer.
  func readElsewhere<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await longReads.run { try self.read(body) }
  }

  /// Writes durably, together with others that wait.
  func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    try await writer.write(body)
  }
}
