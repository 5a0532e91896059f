import GRDB
import Glibc

/// Replaces the database with a backup while no program has it open. The former database is kept beside it.
///
/// A crash at any moment leaves either the old database or the restored one, complete: the copy is made first, the old
/// WAL is checkpointed into the old database, which gets a second name, and a single rename makes the switch.
package enum DatabaseRestore {
  /// How far event numbers jump: beyond any that a browser can have received from the replaced database. Its stream
  /// then gets a `reset`, and never mistakes new events for ones it already has.
  static let eventJump: Int64 = 1_000_000_000

  /// The result of a restore.
  package struct Outcome: Sendable {
    package var summary: DatabaseSummary
    /// The path of the former database, if there was one.
    package var former: String?
    /// What `DatabaseCheck` found in the backup; it is usable all the same.
    package var warnings: [String]
  }

  /// Restores `backup` to `target`, the database's path, whose folder must exist. Rejects a backup that SQLite finds
  /// damaged. Blocks. Throws `OperatingError`, or `StoreOpenError` (`.inUse` while a server runs).
  package static func run(_ backup: String, to target: String) throws -> Outcome {
    guard DataFile.exists(backup) else { throw OperatingError.noData(path: backup) }
    let lock = try DataLock(path: target + ".lock", of: target)
    defer { lock.release() }
    let report = try DatabaseCheck.run(backup)
    if report.isDamaged { throw OperatingError.notSound(path: backup, finding: report.findings.first ?? "damaged") }

    let draft = target + ".restoring"
    DataFile.removeDatabase(draft)
    do {
      let formerLast = try checkpoint(target)
      try DatabaseBackup.copy(backup, to: draft, owner: DataFile.folder(of: target))
      let summary = try forget(draft, formerLast: formerLast)
      try DataFile.synchronise(draft)
      let former = try setAside(target)
      try DataFile.move(draft, to: target)
      return Outcome(summary: summary.named(target), former: former, warnings: report.findings)
    } catch {
      DataFile.removeDatabase(draft)
      throw DatabaseBackup.failure(error, path: target)
    }
  }

  /// Clears the event log and advances its numbers; messages and everything else are state, not log. Ends sessions,
  /// push subscriptions and invitations, because they may have been ended after the backup was made.
  private static func forget(_ draft: String, formerLast: Int64) throws -> DatabaseSummary {
    let queue = try DatabaseQueue(path: draft)
    defer { try? queue.close() }
    return try queue.write { database in
      let last = max(try database.lastEventID() + eventJump, formerLast + eventJump, floor)
      try database.execute(sql: "DELETE FROM events")
      try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'events'")
      try database.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)", arguments: [last])
      for table in ["push_subscriptions", "sessions", "invitations"] {
        try database.execute(sql: "DELETE FROM \(table)")
      }
      return try DatabaseSummary(database, path: draft)
    }
  }

  /// A number above all those issued so far, even for a database that can no longer be read: a hundred per millisecond
  /// since 1970, more than are ever logged. JavaScript represents these exactly for another 2,800 years.
  private static var floor: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 100_000 + Int64(now.tv_nsec) / 10_000
  }

  /// Checkpoints the WAL of the database being replaced, so that a single file contains all of it. Returns its last
  /// event's number; 0 if it cannot be read.
  private static func checkpoint(_ path: String) throws -> Int64 {
    guard DataFile.exists(path) else { return 0 }
    do {
      let queue = try DatabaseQueue(path: path)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)")
        return try database.lastEventID()
      }
    } catch let error as DatabaseError where error.isOfTheDisk {
      throw error
    } catch {
      return 0
    }
  }

  /// Renames the former database. A WAL that could not be checkpointed is renamed with it, so that it is never applied
  /// to the restored one.
  private static func setAside(_ target: String) throws(OperatingError) -> String? {
    var former: String?
    if DataFile.exists(target) {
      let name = DataFile.freeName(target + ".before-restore-" + DataFile.stamp())
      for suffix in ["", "-wal"] where suffix.isEmpty || DataFile.size(target + suffix) > 0 {
        try DataFile.keep(target + suffix, as: name + suffix)
      }
      try DataFile.synchronise(DataFile.folder(of: target))
      former = name
    }
    for suffix in DataFile.companions { DataFile.remove(target + suffix) }
    return former
  }
}
