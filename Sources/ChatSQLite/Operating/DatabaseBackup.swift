import Foundation
import GRDB

/// Copies the database while it is in use.
///
/// All pages are copied within one read transaction, so the copy is consistent and contains everything acknowledged
/// before it began. Writers continue meanwhile; the WAL grows until the copy is done. The copy gets its final name only
/// after it has been checked and synchronised, so no file of that name is ever incomplete.
package enum DatabaseBackup {
  /// Copies the database at `source` to `target`: either a file, which may replace an older backup, or a folder, in
  /// which the copy is named after the time. Blocks. Throws `OperatingError` or `StoreOpenError`.
  package static func make(of source: String, at target: String) throws -> DatabaseSummary {
    guard DataFile.exists(source) else { throw OperatingError.noData(path: source) }
    let target = DataFile.isFolder(target) ? target + "/hubbub-\(DataFile.stamp()).sqlite" : target
    guard try mayReplace(target) else { throw OperatingError.inTheWay(path: target) }
    let summary = try copy(source, to: target)
    LastBackup.note(target, besides: source)
    return summary
  }

  /// Copies into a draft file, checks it, and renames it. If run as root with `owner`, a folder, the file is given to
  /// that folder's owner.
  @discardableResult
  static func copy(_ source: String, to target: String, owner: String? = nil) throws -> DatabaseSummary {
    removeAbandonedDrafts(of: target)
    // Two copies to the same name must not share a draft.
    let draft = "\(target).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
    do {
      try PrivateFile.prepare(draft)
      let summary = try fill(draft, from: source)
      if let owner { DataFile.give(draft, toOwnerOf: owner) }
      try DataFile.synchronise(draft)
      try DataFile.move(draft, to: target)
      return summary.named(target)
    } catch {
      DataFile.removeDatabase(draft)
      throw failure(error, path: target)
    }
  }

  /// Removes drafts left by killed programs.
  private static func removeAbandonedDrafts(of target: String) {
    let folder = DataFile.folder(of: target)
    let prefix = URL(fileURLWithPath: target).lastPathComponent + "."
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(prefix), name.hasSuffix(".partial"),
        let process = pid_t(name.dropFirst(prefix.count).prefix { $0.isNumber }), process != getpid(),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      DataFile.removeDatabase(folder + "/" + name)
    }
  }

  private static func fill(_ draft: String, from source: String) throws -> DatabaseSummary {
    let reader = try DatabaseReading.open(source)
    defer { try? reader.close() }
    let copy = try DatabaseQueue(path: draft)
    defer { try? copy.close() }
    // Not in steps: a commit by the server between two steps would restart the copy.
    try reader.backup(to: copy, pagesPerStep: -1)
    return try copy.writeWithoutTransaction { database in
      // A single file without companions, which can also be opened on a read-only disk.
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
      if let finding = try QuickCheck.finding(in: database) {
        throw OperatingError.notSound(path: source, finding: finding)
      }
      return try DatabaseSummary(database, path: draft)
    }
  }

  /// Whether the name is free or that of an older backup.
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

/// The path of the newest backup, stored in a file beside the database for the message about damage.
enum LastBackup {
  private static func note(of database: String) -> String { database + ".backup" }

  /// Records a backup. A failure only makes that message less helpful.
  static func note(_ backup: String, besides database: String) {
    let path = backup.hasPrefix("/") ? backup : FileManager.default.currentDirectoryPath + "/" + backup
    let note = note(of: database)
    guard (try? (path + "\n").write(toFile: note, atomically: true, encoding: .utf8)) != nil else { return }
    chmod(note, 0o600)
  }

  /// The newest existing backup of a database.
  static func newest(of database: String) -> String? {
    guard let line = try? String(contentsOfFile: note(of: database), encoding: .utf8) else { return nil }
    let path = line.trimmingCharacters(in: .newlines)
    return DataFile.exists(path) ? path : nil
  }
}
