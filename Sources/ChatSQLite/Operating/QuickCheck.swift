import Foundation
import GRDB

/// SQLite's check of its own structures, without comparing indexes with their tables.
enum QuickCheck {
  /// What is wrong first; nil where nothing is. Throws SQLite's own error where it stumbles over the damage.
  static func finding(in database: Database, table: String? = nil) throws -> String? {
    let argument = table.map { "'" + $0.replacingOccurrences(of: "'", with: "''") + "'" } ?? "1"
    return try String.fetchOne(database, sql: "PRAGMA quick_check(\(argument))").flatMap { $0 == "ok" ? nil : $0 }
  }
}
