import GRDB

extension Schema {
  /// `language`: a tag (`de`); NULL is the language that the browser asks for.
  static func registerLanguages(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("languages", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: "ALTER TABLE accounts ADD COLUMN language TEXT")
    }
  }
}
