import Chat
import Foundation
import GRDB

/// Opens the database: access, settings and schema.
enum DatabaseOpening {
  /// An open, migrated database.
  struct Opened {
    let pool: DatabasePool
    /// The path of the backup made before migrating; nil if the schema was current.
    let backup: String?
  }

  /// Opens the pool, with every commit synchronised to disk, and migrates. A database with content is backed up before
  /// it is migrated. The caller holds the lock.
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
      // A power failure may undo migrations, the last one first; they then run again. So they need not be synchronised
      // one by one: the next commit with synchronous = FULL makes them durable.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      try Schema.migrator.migrate(pool)
      try pool.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // For writing only, not for migrations, which may need more than fits: 16 MB of pages, because each message
        // touches ten in different places, and savepoint journals in memory.
        try database.execute(sql: "PRAGMA cache_size = -16000")
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        // Changed pages stay in memory until the commit, so the WAL contains only committed data.
        try database.execute(sql: "PRAGMA cache_spill = OFF")
        try makeDurable(database, path: path)
      }
      // From here on `Readers` serves all reads.
      pool.invalidateReadOnlyConnections()
      return Opened(pool: pool, backup: backup)
    } catch let error as StoreOpenError {
      throw error
    } catch let error as DatabaseError {
      throw failure(error, path: path)
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
  }

  /// Makes everything that reads are about to return durable. A program killed between writing and synchronising the
  /// WAL leaves commits that the page cache shows but a power failure undoes. After a failed synchronisation a second
  /// one does not help, but a checkpoint's copies do.
  private static func makeDurable(_ database: Database, path: String) throws {
    if DataFile.size(path + "-wal") > 0 { try DataFile.synchronise(path + "-wal") }
    do {
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_BUSY {
      // If the disk is full or another program is reading, the WAL stays; it has been synchronised.
    }
  }

  /// Backs up a database with content before migrating it, once per schema version. If a backup of this schema exists
  /// because an earlier migration failed, no other is made.
  private static func backUpBeforeMigrating(_ pool: DatabasePool, path: String) throws -> String? {
    let (applied, isDue, present) = try pool.read { database in
      let applied = try Schema.migrator.appliedIdentifiers(database)
      return (
        applied, try !Schema.migrator.hasCompletedMigrations(database),
        applied.isEmpty ? nil : try DatabaseSummary(database, path: path)
      )
    }
    guard isDue, let present else { return nil }
    let last = Schema.migrator.migrations.last { applied.contains($0) } ?? "unknown"
    let name = "\(path).before-upgrade-\(applied.count)-\(last.replacingOccurrences(of: " ", with: "-"))"
    if let reader = try? DatabaseReading.open(name) {
      defer { try? reader.close() }
      if try reader.read({ try DatabaseSummary($0, path: path) }).holdsTheSame(as: present) { return name }
    }
    // Room for the copy, and for what the migration writes to the WAL.
    let needed = 2 * (DataFile.size(path) + DataFile.size(path + "-wal"))
    if let space = DiskSpace(at: DataFile.folder(of: path)), space.free < needed {
      throw StoreOpenError.noRoomToUpgrade(path: path, needed: needed)
    }
    try DatabaseBackup.copy(path, to: name, owner: DataFile.folder(of: path))
    LastBackup.note(name, besides: path)
    return name
  }

  /// Opens the pool as it is used from then on; of the schema only its application id is checked.
  static func connect(
    _ path: String, limits: StoreLimits, onSlowQuery: SlowQueryObserver? = nil
  ) throws -> DatabasePool {
    let pool = try DatabasePool(
      path: path, configuration: configuration(path: path, limits: limits, onSlowQuery: onSlowQuery))
    try pool.writeWithoutTransaction { database in
      // Set here because the pool sets NORMAL when it enables the WAL, after the configuration's own settings have run.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // Deleted content is overwritten, not just unlinked.
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.execute(sql: "PRAGMA journal_size_limit = 134217728")
      // For migrations; afterwards `Checkpointer` manages the WAL.
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
    // The lock excludes other Hubbubs, but an operator's sqlite3 may hold the file for a moment.
    configuration.busyMode = .timeout(2)
    let slowQueries = onSlowQuery.map { SlowQueries(longerThan: limits.slowQuery, observer: $0) }
    configuration.prepareDatabase { database in
      if !database.configuration.readonly { try check(database, path: path) }
      slowQueries?.watch(database)
    }
    return configuration
  }

  /// Checks a database with content before anything in it is changed.
  private static func check(_ database: Database, path: String) throws {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    guard tables > 0 else {
      // Marks an empty file as ours before its first table is created, so that an interrupted start can be repeated.
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

/// Why the data cannot be opened. Each description is one line that includes the remedy.
package enum StoreOpenError: Error, Hashable, Sendable {
  /// The database's folder does not exist.
  case folderMissing(path: String)
  /// The database or its folder is not writable.
  case notWritable(path: String)
  /// Another program has the data open.
  case inUse(path: String)
  /// The file is not an SQLite database.
  case notADatabase(path: String)
  /// The file belongs to another program.
  case foreign(path: String)
  /// The database was written by a newer Hubbub.
  case newerSchema(path: String)
  /// SQLite found the database damaged. `backup` is its newest existing backup, if known.
  case damaged(path: String, backup: String?)
  /// There is no room on the disk for the backup made before an upgrade.
  case noRoomToUpgrade(path: String, needed: Int)
  /// The disk is too full even to open the database.
  case diskFull(path: String)
  /// The data hold accounts of another GitHub than is to be asked; both by host, or `demo`.
  case otherGitHub(path: String, known: String, asked: String)
  /// Anything else, with SQLite's or the system's message.
  case failed(path: String, reason: String)
}

extension StoreOpenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .folderMissing(let path):
      "The folder of \(path) does not exist. Create it, or name another with --data."
    case .notWritable(let path):
      "\(path) cannot be written. Give this user the right to write it and its folder."
    case .inUse(let path):
      "\(path) is open in another program. Stop that one first."
    case .notADatabase(let path):
      "\(path) is not an SQLite database. Move it away, or name another folder with --data."
    case .foreign(let path):
      "\(path) is a database of another program. Name another folder with --data."
    case .newerSchema(let path):
      "\(path) was written by a newer Hubbub. Run that version, or restore a backup made by this one."
    case .damaged(let path, let backup?):
      "\(path) is damaged. Restore the newest backup: hubbub restore \(backup)"
    case .damaged(let path, nil):
      "\(path) is damaged. Restore the newest backup with hubbub restore FILE."
    case .noRoomToUpgrade(let path, let needed):
      "The disk of \(path) has no room for the upgrade, which copies the data first. Free \(needed >> 20) MB, then start again."
    case .diskFull(let path):
      "The disk of \(path) is full. Make room, then start again."
    case .otherGitHub(let path, let known, let asked):
      "\(path) holds people of GitHub at \(known), whose numbers are other people at \(asked). Start with --github for "
        + "\(known), or name another folder with --data. Only if \(known) has moved to \(asked): --github-formerly \(known)."
    case .failed(let path, let reason):
      "\(path) cannot be opened: \(reason)."
    }
  }
}
