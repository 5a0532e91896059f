import Foundation
import GRDB

/// Checks a whole database: SQLite's structures, Hubbub's invariants, and the search index against the messages.
/// Read-only, and usable while a server runs, in pieces so that the WAL can be checkpointed in between. Takes about as
/// long as reading the file.
package enum DatabaseCheck {
  /// The maximum number of findings reported.
  static let mostFindings = 100

  /// The result of a check.
  package struct Report: Sendable {
    package var summary: DatabaseSummary?
    /// One line each; empty if the database is sound.
    package var findings: [String] = []
    /// Whether parts of it are unreadable to SQLite.
    package var isDamaged = false
    /// Whether the search index lacks messages or contains ones that do not exist.
    package var misindexes = false
  }

  /// Checks the database at `path`. Throws `OperatingError` or `StoreOpenError` if it cannot be read at all.
  package static func run(_ path: String) throws -> Report {
    guard DataFile.exists(path) else { throw OperatingError.noData(path: path) }
    let reader = try DatabaseReading.open(path)
    defer { try? reader.close() }
    do {
      return try report(of: reader, path: path)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return Report(findings: ["SQLite: \(error.message ?? "the file is damaged")"], isDamaged: true)
    } catch {
      throw DatabaseBackup.failure(error, path: path)
    }
  }

  static func report(of reader: some DatabaseReader, path: String) throws -> Report {
    var report = Report()
    let tables = try reader.read { database in
      try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    }
    for table in tables {
      let name = table.replacingOccurrences(of: "'", with: "''")
      report.findings += try reader.read { try String.fetchAll($0, sql: "PRAGMA integrity_check('\(name)')") }
        .filter { $0 != "ok" }.map { "SQLite: " + $0 }
    }
    // Checks across tables: pages that two tables claim, or none does.
    if report.findings.isEmpty, let finding = try reader.read({ try QuickCheck.finding(in: $0) }) {
      report.findings = ["SQLite: " + finding]
    }
    // Findings on broken pages would be meaningless.
    report.isDamaged = !report.findings.isEmpty
    guard !report.isDamaged else { return report }
    for (promise, rows) in promises {
      let names = try reader.read { try String.fetchAll($0, sql: rows + " LIMIT \(mostFindings)") }
      report.findings += names.map { promise + ": " + $0 }
    }
    let misindexed = try reader.read { try SearchIndex(database: $0).findings(limit: mostFindings) }
    report.misindexes = !misindexed.isEmpty
    report.findings = Array((report.findings + misindexed).prefix(mostFindings))
    report.summary = try reader.read { try DatabaseSummary($0, path: path) }
    return report
  }

  /// Clears the search index and indexes all messages again; no server may have the data open. Blocks. Throws
  /// `OperatingError` or `StoreOpenError`.
  package static func repairSearch(_ path: String) throws {
    guard DataFile.exists(path) else { throw OperatingError.noData(path: path) }
    let lock = try DataLock(path: path + ".lock", of: path)
    defer { lock.release() }
    // Opens with this version's schema, migrating an older one.
    let pool = try DatabaseOpening.open(path, limits: StoreLimits()).pool
    defer { try? pool.close() }
    do {
      try pool.writeWithoutTransaction { database in
        // Rebuilding the index in one transaction may need more than fits into memory.
        try database.execute(sql: "PRAGMA cache_spill = ON")
        try database.inTransaction(.immediate) {
          try SearchIndex(database: database).rebuild()
          return .commit
        }
      }
      try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    } catch {
      throw DatabaseBackup.failure(error, path: path)
    }
  }

  /// Invariants, each with a query that returns the rows that break it as lines of text.
  private static let promises: [(String, String)] = [
    ("a reference leads nowhere", "SELECT \"table\" || ' row ' || coalesce(rowid, '-') FROM pragma_foreign_key_check"),
    (
      "messages of a room are numbered 1, 2, 3 … without a gap",
      """
      SELECT 'room ' || hex(r.id) || ' says ' || r.last_seq || ', holds ' || count(m.seq) || ' up to '
        || coalesce(max(m.seq), 0)
      FROM rooms r LEFT JOIN messages m ON m.room = r.key GROUP BY r.key
      HAVING count(m.seq) <> r.last_seq OR coalesce(max(m.seq), 0) <> r.last_seq
      """
    ),
    (
      "nobody has read what was not written",
      """
      SELECT 'room ' || hex(r.id) || ' at ' || m.read_seq || ' and ' || m.delivered_seq || ' of ' || r.last_seq
      FROM memberships m JOIN rooms r ON r.key = m.room WHERE m.delivered_seq > r.last_seq OR m.read_seq > m.delivered_seq
      """
    ),
    (
      "a chat of two has two members",
      """
      SELECT 'room ' || hex(r.id) || ' has ' || count(m.member) FROM rooms r LEFT JOIN memberships m ON m.room = r.key
      WHERE r.kind = 'direct' GROUP BY r.key HAVING count(m.member) <> 2
      """
    ),
    (
      "a group has one owner",
      """
      SELECT 'room ' || hex(r.id) || ' has ' || count(*) FILTER (WHERE m.role = 'owner')
      FROM rooms r JOIN memberships m ON m.room = r.key
      WHERE r.kind = 'group' GROUP BY r.key HAVING count(*) FILTER (WHERE m.role = 'owner') <> 1
      """
    ),
    (
      "events are numbered from the log's own count",
      "SELECT 'event ' || max(id) FROM events HAVING max(id) > (SELECT seq FROM sqlite_sequence WHERE name = 'events')"
    ),
  ]
}

/// SQLite's check of its own structures, without comparing indexes with their tables.
enum QuickCheck {
  /// The first finding; nil if there is none. Throws SQLite's error if it cannot read past the damage.
  static func finding(in database: Database, table: String? = nil) throws -> String? {
    let argument = table.map { "'" + $0.replacingOccurrences(of: "'", with: "''") + "'" } ?? "1"
    return try String.fetchOne(database, sql: "PRAGMA quick_check(\(argument))").flatMap { $0 == "ok" ? nil : $0 }
  }
}
