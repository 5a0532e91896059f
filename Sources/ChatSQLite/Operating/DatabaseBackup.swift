import Foundation
import GRDB

/// A copy of the database, made while it is in use (X1).
///
/// All pages are copied within one read transaction, so the copy is one state: what was acknowledged before it began is
/// in it. Writers go on meanwhile; the WAL grows until the copy is done. The copy gets its name only when it was found
/// sound and is on disk, so a name is never half a backup.
public enum DatabaseBackup {
  /// Copies the database at `source` to `target`: a file, whose name may be that of an older backup, or a folder, in
  /// which the copy is named after the time. Blocks. Throws `OperatingError` or `StoreOpenError`.
  public static func make(of source: String, at target: String) throws -> DatabaseSummary {
    guard DataFile.exists(source) else { throw OperatingError.noData(path: source) }
    let target = DataFile.isFolder(target) ? target + "/hubbub-\(DataFile.stamp()).sqlite" : target
    guard try mayReplace(target) else { throw OperatingError.inTheWay(path: target) }
    let summary = try copy(source, to: target)
    LastBackup.note(target, besides: source)
    return summary
  }

  /// Copies into a file of another name, looks at it, and names it.
  static func copy(_ source: String, to target: String) throws -> DatabaseSummary {
    let draft = target + ".partial"
    DataFile.removeDatabase(draft)
    do {
      try PrivateFile.prepare(draft)
      let summary = try fill(draft, from: source)
      try DataFile.synchronise(draft)
      try DataFile.move(draft, to: target)
      return summary.named(target)
    } catch {
      DataFile.removeDatabase(draft)
      throw failure(error, path: target)
    }
  }

  private static func fill(_ draft: String, from source: String) throws -> DatabaseSummary {
    let reader = try DatabaseReading.open(source)
    defer { try? reader.close() }
    let copy = try DatabaseQueue(path: draft)
    defer { try? copy.close() }
    // Never in steps: each commit of the program between two steps would begin the copy anew.
    try reader.backup(to: copy, pagesPerStep: -1)
    return try copy.writeWithoutTransaction { database in
      // One file without companions, also for who opens it where nothing may be written.
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
      if let finding = try QuickCheck.finding(in: database) {
        throw OperatingError.notSound(path: source, finding: finding)
      }
      return try DatabaseSummary(database, path: draft)
    }
  }

  /// Whether the name is free, or that of an older backup.
  private static func mayReplace(_ target: String) throws -> Bool {
    guard DataFile.exists(target) else { return true }
    guard let reader = try? DatabaseReading.open(target) else { return false }
    try reader.close()
    return !DataFile.exists(target + ".lock")
  }

  static func failure(_ error: any Error, path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    switch error.resultCode {
    case .SQLITE_FULL: return OperatingError.diskFull(path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      return OperatingError.notWritable(path: path, reason: error.message ?? "no permission")
    default: return OperatingError.failed(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }
}

/// Which backup is the newest: a line beside the database, for the message that says it is damaged.
enum LastBackup {
  private static func note(of database: String) -> String { database + ".backup" }

  /// Remembers a backup. Failing costs a better message only.
  static func note(_ backup: String, besides database: String) {
    let path = backup.hasPrefix("/") ? backup : FileManager.default.currentDirectoryPath + "/" + backup
    let note = note(of: database)
    guard (try? (path + "\n").write(toFile: note, atomically: true, encoding: .utf8)) != nil else { return }
    chmod(note, 0o600)
  }

  /// The newest backup that was made of a database and is still there.
  static func newest(of database: String) -> String? {
    guard let line = try? String(contentsOfFile: note(of: database), encoding: .utf8) else { return nil }
    let path = line.trimmingCharacters(in: .newlines)
    return DataFile.exists(path) ? path : nil
  }
}
