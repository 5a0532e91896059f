import Base
import Chat
import FoundationEssentials
import GRDB
import GRDBSQLite

/// Statements are compiled once per connection, by GRDB's cache; values are bound and read directly through SQLite's
/// interface. A row is valid only inside `decode`, which must not run the same statement again.
extension Database {
  /// Runs a statement to completion and ignores any rows.
  func run(_ sql: String, _ arguments: Arguments = []) throws {
    var rows = try cursor(sql, arguments)
    while try rows.next() != nil {}
  }

  /// The first row, or nil.
  func first<Value>(_ sql: String, _ arguments: Arguments = [], _ decode: (ResultRow) throws -> Value) throws -> Value?
  {
    var rows = try cursor(sql, arguments)
    return try rows.next().map(decode)
  }

  /// All rows.
  func all<Value>(_ sql: String, _ arguments: Arguments = [], _ decode: (ResultRow) throws -> Value) throws -> [Value] {
    var rows = try cursor(sql, arguments)
    var values: [Value] = []
    while let row = try rows.next() { values.append(try decode(row)) }
    return values
  }

  /// Visits all rows.
  func each(_ sql: String, _ arguments: Arguments = [], _ visit: (ResultRow) throws -> Void) throws {
    var rows = try cursor(sql, arguments)
    while let row = try rows.next() { try visit(row) }
  }

  /// Whether there is a row.
  func exists(_ sql: String, _ arguments: Arguments) throws -> Bool {
    try first(sql, arguments) { _ in true } ?? false
  }

  /// A cursor over the rows.
  func cursor(_ sql: String, _ arguments: Arguments) throws -> ResultCursor {
    try ResultCursor(cachedStatement(sql: sql), arguments, of: self)
  }
}

/// The values bound to a statement's parameters, in order; nil is NULL.
struct Arguments: ExpressibleByArrayLiteral {
  fileprivate var values: [(any SQLValue)?]

  init(arrayLiteral values: (any SQLValue)?...) {
    self.values = values
  }

  static func + (one: Arguments, other: Arguments) -> Arguments {
    var sum = one
    sum.values += other.values
    return sum
  }
}

/// A cursor over a statement's rows. When it is destroyed, the statement can be used again.
struct ResultCursor: ~Copyable {
  private let statement: Statement
  private let database: Database

  init(_ statement: Statement, _ arguments: Arguments, of database: Database) throws {
    self.statement = statement
    self.database = database
    let handle = statement.sqliteStatement
    assert(Int(sqlite3_bind_parameter_count(handle)) == arguments.values.count, "one value for each parameter")
    for (index, value) in arguments.values.enumerated() {
      let position = CInt(index + 1)
      let code = value?.bind(to: handle, at: position) ?? sqlite3_bind_null(handle, position)
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  deinit {
    sqlite3_reset(statement.sqliteStatement)
    // Otherwise a cached statement would retain a copy of the values bound last.
    sqlite3_clear_bindings(statement.sqliteStatement)
  }

  /// The next row, or nil at the end.
  mutating func next() throws -> ResultRow? {
    switch sqlite3_step(statement.sqliteStatement) {
    case SQLITE_ROW: ResultRow(statement: statement.sqliteStatement)
    case SQLITE_DONE: nil
    case let code: throw failure(code)
    }
  }

  private func failure(_ code: CInt) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) },
      sql: statement.sql)
  }
}

/// The current row of a statement. Columns are numbered from 0.
struct ResultRow {
  fileprivate let statement: SQLiteStatement

  /// A non-null value.
  subscript<Value: SQLValue>(_ column: Int) -> Value {
    assert(!isNull(column), "column \(column) is NULL")
    return Value.read(statement, CInt(column))
  }

  /// A value, or nil for NULL.
  subscript<Value: SQLValue>(_ column: Int) -> Value? {
    isNull(column) ? nil : Value.read(statement, CInt(column))
  }

  /// Whether a column is NULL.
  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL
  }

  /// An id.
  func id<Subject>(_ column: Int) -> ID<Subject> { self[column] }

  /// A time.
  func time(_ column: Int) -> Timestamp {
    Timestamp(milliseconds: self[column])
  }

  /// A picture's id, or nil for NULL.
  func picture(_ column: Int) -> PictureID? {
    (self[column] as String?).flatMap { PictureID($0) }
  }

  /// A repository, or nil for NULL.
  func repository(_ column: Int) -> RepositoryName? {
    (self[column] as String?).flatMap { RepositoryName($0) }
  }

  /// A time, or nil for NULL.
  func timeIfAny(_ column: Int) -> Timestamp? {
    (self[column] as Int64?).map(Timestamp.init(milliseconds:))
  }
}

extension String {
  /// The text folded for case-insensitive comparison in every script; SQLite itself folds only ASCII.
  var caseFolded: String { lowercased() }

  /// Distinguishes a repeated text from a different one. A sender who constructs a collision only gets their own older
  /// message back.
  var digest: Int64 { Int64(bitPattern: StableHash(of: utf8).value) }
}
