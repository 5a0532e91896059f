import GRDB

/// Looks through a whole database: SQLite's own structures, and what Hubbub promises of its rows. Reads only, one
/// state, also while a server works on it; takes about as long as reading the file.
public enum DatabaseCheck {
  /// At most so many findings are told.
  static let mostFindings = 100

  /// What was found.
  public struct Report: Sendable {
    /// What the database holds.
    public var summary: DatabaseSummary?
    /// A line each; none where it is sound.
    public var findings: [String]
  }

  /// Checks the database at `path`. Throws `OperatingError` or `StoreOpenError` where it cannot be read at all.
  public static func run(_ path: String) throws -> Report {
    guard DataFile.exists(path) else { throw OperatingError.noData(path: path) }
    let reader = try DatabaseReading.open(path)
    defer { try? reader.close() }
    do {
      return try reader.read { try report(of: $0, path: path) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return Report(summary: nil, findings: ["SQLite: \(error.message ?? "the file is damaged")"])
    } catch {
      throw DatabaseBackup.failure(error, path: path)
    }
  }

  static func report(of database: Database, path: String) throws -> Report {
    var findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(mostFindings))")
      .filter { $0 != "ok" }.map { "SQLite: " + $0 }
    // What stands on broken pages tells nothing more.
    guard findings.isEmpty else { return Report(summary: nil, findings: findings) }
    for (promise, rows) in promises {
      let names = try String.fetchAll(database, sql: rows + " LIMIT \(mostFindings)")
      findings += names.map { promise + ": " + $0 }
    }
    return Report(summary: try DatabaseSummary(database, path: path), findings: Array(findings.prefix(mostFindings)))
  }

  /// A promise in words, and the rows that break it, each as a line of text.
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
