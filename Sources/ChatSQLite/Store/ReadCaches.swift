import Chat
import Glibc
import GRDB
import GRDBSQLite
import Synchronization

/// Caches of values that nearly every request needs; reading them from the database would cost several times the rest
/// of the request. Nothing cached of changed tables is used from before a commit until the writer has invalidated it, so
/// cached values are as current as the database: nobody sees a commit's events beside values from before it.
struct ReadCaches: Sendable {
  /// By the hash of the secret; may include expired ones.
  let sessions = ReadCache<[UInt8], Session>(limit: 10_000)
  /// People as they see themselves.
  let ownUsers = ReadCache<UserID, OwnUser>(limit: 10_000)
  /// The faces of people in messages and rooms, by key, about a kilobyte each.
  let faces = ReadCache<Int64, Face>(limit: 4096)
  /// Pages of GitHub's lists, at most a hundred accounts each.
  let directoryPages = ReadCache<DirectoryPlace, StoredDirectoryPage>(limit: 64)

  /// Bypasses what was read from changed tables, until `forget`; before the commit.
  func suspend(_ changes: TableChanges) {
    if changes.hasChangedPeople {
      ownUsers.suspend()
      faces.suspend()
    }
    if changes.hasChangedPeople || changes.hasChangedDirectory { directoryPages.suspend() }
  }

  /// Invalidates what was read from changed tables. Writes report changed sessions themselves (`changeSessions`),
  /// because a new session changes no cached one.
  func forget(_ changes: TableChanges, sessions hasChangedSessions: Bool) {
    if hasChangedSessions { sessions.forgetAll() }
    if changes.hasChangedPeople {
      ownUsers.forgetAll()
      faces.forgetAll()
    }
    if changes.hasChangedPeople || changes.hasChangedDirectory { directoryPages.forgetAll() }
  }

  /// Invalidates everything, because another program may have changed any table.
  func forgetAll() {
    sessions.forgetAll()
    ownUsers.forgetAll()
    faces.forgetAll()
    directoryPages.forgetAll()
  }
}

/// A page of a directory list.
struct DirectoryPlace: Hashable {
  var list: DirectoryList
  var cursor: String
}

/// A cache of values read from the database. Safe from any thread.
final class ReadCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Kept {
    var values: [Key: Value] = [:]
    var generation: UInt64 = 0
    var isSuspended = false
  }

  private let limit: Int
  private let kept = Mutex(Kept())

  /// Keeps at most `limit` values; when full, it is cleared.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of commits so far that changed the underlying tables.
  var generation: UInt64 { kept.withLock { $0.generation } }

  /// The cached value, or the result of `read`, which is cached unless a commit has changed its tables meanwhile.
  /// Inside a transaction, `before` is the generation from before its first query.
  func value(for key: Key, asOf before: UInt64? = nil, read: () throws -> Value?) rethrows -> Value? {
    let (known, now) = kept.withLock { ($0.isSuspended ? nil : $0.values[key], $0.generation) }
    if let known { return known }
    guard let value = try read() else { return nil }
    kept.withLock { kept in
      guard kept.generation == before ?? now else { return }
      if kept.values.count >= limit { kept.values = [:] }
      kept.values[key] = value
    }
    return value
  }

  /// Has values read from the database, until the cache is cleared.
  func suspend() {
    kept.withLock { $0.isSuspended = true }
  }

  /// Clears the cache.
  func forgetAll() {
    kept.withLock { kept in
      kept.values = [:]
      kept.isSuspended = false
      kept.generation += 1
    }
  }
}

/// The cached tables that the writer's connection has changed since the last reset. SQLite reports each row
/// (sqlite3_update_hook; not for tables WITHOUT ROWID), so no write can omit it. Must be used on the writer's thread.
final class TableChanges {
  private(set) var hasChangedPeople = false
  private(set) var hasChangedDirectory = false

  /// Observes the connection, which must not outlive this object.
  init(of database: Database) {
    sqlite3_update_hook(
      database.sqliteConnection,
      { context, _, _, table, _ in
        guard let context, let table else { return }
        Unmanaged<TableChanges>.fromOpaque(context).takeUnretainedValue().note(table)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ table: UnsafePointer<CChar>) {
    switch UInt8(bitPattern: table[0]) {
    case UInt8(ascii: "u"): if strcmp(table, "users") == 0 { hasChangedPeople = true }
    case UInt8(ascii: "a"): if strcmp(table, "accounts") == 0 { hasChangedPeople = true }
    case UInt8(ascii: "d"), UInt8(ascii: "g"):
      if strcmp(table, "directory_pages") == 0 || strcmp(table, "github_accounts") == 0 { hasChangedDirectory = true }
    default: break
    }
  }

  /// Starts over, after a commit.
  func reset() {
    hasChangedPeople = false
    hasChangedDirectory = false
  }
}
