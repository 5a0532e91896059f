import GRDB

/// Puts a backup in the database's place, while no program has it open (X1). What was there is kept beside it.
///
/// A crash at any moment leaves the old database or the restored one, whole: the copy is made and looked at first, the
/// old file and its WAL get second names, and one rename decides.
public enum DatabaseRestore {
  /// How far event numbers jump: beyond what any browser can have heard of the database that is replaced. Its stream
  /// is then told to read its state anew, and never takes new events for those it knew.
  static let eventJump: Int64 = 1_000_000_000

  /// Restores `backup` to `target`, the database's path; its folder must exist. Returns what the database holds now,
  /// and the name under which the former one is kept, if there was one. Blocks. Throws `OperatingError`, or
  /// `StoreOpenError` (`.inUse` while a server runs).
  public static func run(_ backup: String, to target: String) throws -> (summary: DatabaseSummary, former: String?) {
    guard DataFile.exists(backup) else { throw OperatingError.noData(path: backup) }
    let lock = try DataLock(path: target + ".lock", of: target)
    defer { lock.release() }
    let report = try DatabaseCheck.run(backup)
    if let finding = report.findings.first { throw OperatingError.notSound(path: backup, finding: finding) }

    let draft = target + ".restoring"
    DataFile.removeDatabase(draft)
    do {
      var summary = try DatabaseBackup.copy(backup, to: draft)
      summary = try forget(draft, formerLast: lastEventID(of: target))
      try DataFile.synchronise(draft)
      let former = try setAside(target)
      try DataFile.move(draft, to: target)
      return (summary.named(target), former)
    } catch {
      DataFile.removeDatabase(draft)
      throw DatabaseBackup.failure(error, path: target)
    }
  }

  /// Empties the event log and lets its numbers jump. Messages and all else are state, not log.
  private static func forget(_ draft: String, formerLast: Int64) throws -> DatabaseSummary {
    let queue = try DatabaseQueue(path: draft)
    defer { try? queue.close() }
    return try queue.write { database in
      let last = max(try database.lastEventID(), formerLast) + eventJump
      try database.execute(sql: "DELETE FROM events")
      try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'events'")
      try database.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)", arguments: [last])
      return try DatabaseSummary(database, path: draft)
    }
  }

  /// The last event of the database that is replaced; 0 where it cannot be read, for then nobody can tell.
  private static func lastEventID(of path: String) -> Int64 {
    guard DataFile.exists(path), let reader = try? DatabaseReading.open(path) else { return 0 }
    defer { try? reader.close() }
    return (try? reader.read { try $0.lastEventID() }) ?? 0
  }

  /// Keeps the former database under another name; its WAL belongs to it, and must not meet the restored one.
  private static func setAside(_ target: String) throws(OperatingError) -> String? {
    var former: String?
    if DataFile.exists(target) {
      let name = target + ".before-restore-" + DataFile.stamp()
      for suffix in ["", "-wal"] { try DataFile.keep(target + suffix, as: name + suffix) }
      try DataFile.synchronise(DataFile.folder(of: target))
      former = name
    }
    for suffix in DataFile.companions { DataFile.remove(target + suffix) }
    return former
  }
}
