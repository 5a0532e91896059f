import Chat
import FoundationEssentials
import GRDB
import GRDBSQLite

/// A value that SQLite can store.
///
/// Values pass directly between the program and the statement. GRDB's own bindings and rows go through an enumeration,
/// boxes and an index, which took half of the time of a send (docs/benchmarks.md).
protocol SQLValue {
  /// Binds a copy of the value to a parameter, numbered from 1. Returns SQLite's result code.
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt
  /// The value of a non-null column, numbered from 0.
  static func read(_ statement: SQLiteStatement, _ column: CInt) -> Self
}

/// Tells SQLite to copy the value (`SQLITE_TRANSIENT`, a cast that Swift does not import).
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: SQLValue {
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { sqlite3_bind_int64(statement, index, self) }
  static func read(_ statement: SQLiteStatement, _ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }
}

extension Int: SQLValue {
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { sqlite3_bind_int64(statement, index, Int64(self)) }
  static func read(_ statement: SQLiteStatement, _ column: CInt) -> Int { Int(sqlite3_column_int64(statement, column)) }
}

extension Bool: SQLValue {
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { sqlite3_bind_int(statement, index, self ? 1 : 0) }
  static func read(_ statement: SQLiteStatement, _ column: CInt) -> Bool { sqlite3_column_int(statement, column) != 0 }
}

extension String: SQLValue {
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
    var text = self
    return text.withUTF8 { UTF8Text.bind($0, to: statement, at: index) }
  }

  static func read(_ statement: SQLiteStatement, _ column: CInt) -> String {
    // The text first, then its length; in the other order SQLite may convert twice.
    guard let text = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

extension [UInt8]: SQLValue {
  /// Bound as a BLOB.
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
    withUnsafeBytes { bytes in
      // A BLOB with a null pointer would be NULL.
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), copied)
    }
  }

  /// The bytes of a BLOB or TEXT.
  static func read(_ statement: SQLiteStatement, _ column: CInt) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}

/// The sixteen bytes of an id, in the order in which ids sort; the schema allows no other length.
extension ID: SQLValue {
  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
      sqlite3_bind_blob64(statement, index, bytes.baseAddress, 16, copied)
    }
  }

  static func read(_ statement: SQLiteStatement, _ column: CInt) -> ID {
    guard let start = sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column) == 16 else {
      return ID(high: 0, low: 0)
    }
    let high = start.loadUnaligned(as: UInt64.self)
    let low = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return ID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// Sorts before all real ids.
  static var lowest: ID { ID(high: 0, low: 0) }
}

/// UTF-8 bytes stored as TEXT.
struct UTF8Text: SQLValue {
  let bytes: [UInt8]

  func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
    bytes.withUnsafeBufferPointer { UTF8Text.bind($0, to: statement, at: index) }
  }

  static func read(_ statement: SQLiteStatement, _ column: CInt) -> UTF8Text {
    UTF8Text(bytes: [UInt8].read(statement, column))
  }

  fileprivate static func bind(
    _ bytes: UnsafeBufferPointer<UInt8>, to statement: SQLiteStatement, at index: CInt
  ) -> CInt {
    guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
    }
  }
}
