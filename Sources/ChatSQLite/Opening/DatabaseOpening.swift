import Chat
import GRDB

/// Opening: who may, with what settings, and up to which schema.
enum DatabaseOpening {
  /// A database that is ready.
  struct Opened {
    let pool: DatabasePool
    /// The backup that was made because the schema had to change; nil where it had not.
    let backup: String?
  }

  /// Opens the pool, with every commit synchronised to the disk, and migrates; a database that holds something is backed
  /// up before (X1). The caller holds the lock.
  static func open(
    _ path: String, limits: StoreLimits, onSlowQuery: SlowQueryObserver? = nil
  ) throws(StoreOpenError) -> Opened {
    try PrivateFile.prepare(path)
    do {
      let pool = try connect(path, limits: limits, onSlowQuery: onSlowQuery)
      if DataFile.size(path) <= limits.checkedBeforeStart, try pool.read({ try QuickCheck.finding(in: $0) }) != nil {
        throw StoreOpenError.damaged(path: path, backup: LastBackup.newest(of: path))
      }
      let backup = try backUpBeforeMigrating(pool, path: path)
      // A power cut may take migrations back, one after the other from the last: then they are made again. So they need
      // not wait for the disk each; the first commit that must brings them there.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      try Schema.migrator.migrate(pool)
      try pool.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // For writing only, and not for migrations, which may need more than fits: 16 MB of pages, since each message
        // touches ten in different places, and in memory what a savepoint keeps in case it is taken back.
        try database.execute(sql: "PRAGMA cache_size = -16000")
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
      }
      return Opened(pool: pool, backup: backup)
    } catch let error as StoreOpenError {
      throw error
    } catch let error as DatabaseError {
      throw failure(error, path: path)
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
  }

  /// A copy beside the database, where migrations are due on one that is in use. Whoever has no room for it has none
  /// for the migration either.
  private static func backUpBeforeMigrating(_ pool: DatabasePool, path: String) throws -> String? {
    let (applied, isDue) = try pool.read { database in
      (try Schema.migrator.appliedIdentifiers(database), try !Schema.migrator.hasCompletedMigrations(database))
    }
    guard isDue, !applied.isEmpty else { return nil }
    let name = "\(path).before-upgrade-\(DataFile.stamp())"
    _ = try DatabaseBackup.copy(path, to: name)
    LastBackup.note(name, besides: path)
    return name
  }

  /// Opens the pool as it is used from then on; the schema is not looked at beyond whose it is.
  static func connect(
    _ path: String, limits: StoreLimits, onSlowQuery: SlowQueryObserver? = nil
  ) throws -> DatabasePool {
    WALBuffer.install()
    let pool = try DatabasePool(
      path: path, configuration: configuration(path: path, limits: limits, onSlowQuery: onSlowQuery))
    try pool.writeWithoutTransaction { database in
      // Only now: the pool sets NORMAL when it turns the WAL on, after the configuration's own settings have run.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // What was deleted is overwritten, not just unlinked.
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.execute(sql: "PRAGMA journal_size_limit = 134217728")
      // 100 MB instead of 4: a page that is written again and again goes into the database once for all of them.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 25000")
    }
    return pool
  }

  private static func configuration(
    path: String, limits: StoreLimits, onSlowQuery: SlowQueryObserver?
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "hubbub"
    configuration.maximumReaderCount = limits.readers
    configuration.persistentReadOnlyConnections = true
    // The lock keeps other Hubbubs out; an operator's sqlite3 may still hold the file for a moment.
    configuration.busyMode = .timeout(2)
    let slowQueries = onSlowQuery.map { SlowQueries(longerThan: limits.slowQuery, observer: $0) }
    configuration.prepareDatabase { database in
      if !database.configuration.readonly { try check(database, path: path) }
      slowQueries?.watch(database)
    }
    return configuration
  }

  /// Runs before anything is changed in a file that holds something.
  private static func check(_ database: Database, path: String) throws {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    guard tables > 0 else {
      // An empty file becomes ours before its first table is made: a start that was killed in between can be repeated.
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      return
    }
    guard try Int.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
      throw StoreOpenError.foreign(path: path)
    }
    if try Schema.migrator.hasBeenSuperseded(database) { throw StoreOpenError.newerSchema(path: path) }
  }

  static func failure(_ error: DatabaseError, path: String) -> StoreOpenError {
    switch error.resultCode {
    case .SQLITE_NOTADB: .notADatabase(path: path)
    case .SQLITE_CORRUPT: .damaged(path: path, backup: LastBackup.newest(of: path))
    case .SQLITE_FULL: .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .inUse(path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: .notWritable(path: path)
    default: .failed(path: path, reason: error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
    }
  }
}
