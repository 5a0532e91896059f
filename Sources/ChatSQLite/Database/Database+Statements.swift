import Chat
import FoundationEssentials
import GRDB

/// Statements are compiled once for each connection and rows are decoded by hand: Codable records cost more than twice
/// the time. A row is valid only inside `decode`, which must not run the same statement again.
extension Database {
  /// Runs a statement that returns no rows.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The first row, or nil.
  func first<Value>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(), _ decode: (Row) throws -> Value
  ) throws -> Value? {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    return try rows.next().map(decode)
  }

  /// All rows.
  func all<Value>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(), _ decode: (Row) throws -> Value
  ) throws -> [Value] {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    var values: [Value] = []
    while let row = try rows.next() { values.append(try decode(row)) }
    return values
  }

  /// Visits all rows.
  func each(_ sql: String, _ arguments: StatementArguments, _ visit: (Row) throws -> Void) throws {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { try visit(row) }
  }

  /// Whether there is a row.
  func exists(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
    try first(sql, arguments) { _ in true } ?? false
  }
}

extension Row {
  /// An id from its sixteen bytes; the schema allows no other length.
  func id<Subject>(_ index: Int) -> ID<Subject> {
    let bytes: Data = self[index]
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for (position, byte) in bytes.enumerated() {
      if position < 8 {
        halves.high = halves.high << 8 | UInt64(byte)
      } else {
        halves.low = halves.low << 8 | UInt64(byte)
      }
    }
    return ID(high: halves.high, low: halves.low)
  }

  /// A moment.
  func time(_ index: Int) -> Timestamp {
    Timestamp(milliseconds: self[index])
  }

  /// The name of a picture, or nil for NULL.
  func picture(_ index: Int) -> PictureID? {
    (self[index] as String?).flatMap { PictureID($0) }
  }

  /// A moment, or nil for NULL.
  func timeIfAny(_ index: Int) -> Timestamp? {
    (self[index] as Int64?).map(Timestamp.init(milliseconds:))
  }
}

extension ID {
  /// The id's sixteen bytes, in the order in which ids sort.
  var blob: Data {
    var bytes = Data(capacity: 16)
    for half in [high, low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    return bytes
  }
}

extension String {
  /// The text as it is compared where case does not count, in every script; SQLite itself folds only ASCII.
  var caseFolded: String { lowercased() }

  /// FNV-1a over the UTF-8 bytes (64 bits): tells a repeat from another text, where no one gains from a collision but
  /// the sender who would get his own older message back.
  var digest: Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}
