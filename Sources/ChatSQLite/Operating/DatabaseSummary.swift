import GRDB

/// A database's content in figures, for the operator.
package struct DatabaseSummary: Hashable, Sendable {
  /// The file's path.
  package var path: String
  /// Accounts on this instance.
  package var accounts: Int
  /// Rooms, direct and groups.
  package var rooms: Int
  /// Messages, including deleted ones, which keep their place.
  package var messages: Int
  /// The last event's number.
  package var lastEventID: Int64
  /// The size of the file's pages in bytes.
  package var bytes: Int

  init(_ database: Database, path: String) throws {
    self.path = path
    accounts = try Int.fetchOne(database, sql: "SELECT count(*) FROM accounts") ?? 0
    rooms = try Int.fetchOne(database, sql: "SELECT count(*) FROM rooms") ?? 0
    // `seq` has no gaps, so each room's last one is its count.
    messages = try Int.fetchOne(database, sql: "SELECT sum(last_seq) FROM rooms") ?? 0
    lastEventID = try database.lastEventID()
    bytes =
      try Int.fetchOne(database, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  /// Whether two copies have the same counts.
  func holdsTheSame(as other: DatabaseSummary) -> Bool {
    var copy = named(other.path)
    // A copy may have fewer free pages.
    copy.bytes = other.bytes
    return copy == other
  }

  func named(_ path: String) -> DatabaseSummary {
    var summary = self
    summary.path = path
    return summary
  }
}

extension DatabaseSummary: CustomStringConvertible {
  /// `/backups/hubbub.sqlite: 12 accounts, 40 rooms, 1234 messages, last event 2210, 3.4 MB`
  package var description: String {
    let megabytes = Double((bytes + 50_000) / 100_000) / 10
    return
      "\(path): \(accounts) accounts, \(rooms) rooms, \(messages) messages, last event \(lastEventID), \(megabytes) MB"
  }
}

/// Opens one of our databases read-only, even while another program has it open.
enum DatabaseReading {
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "hubbub-reading"
    configuration.busyMode = .timeout(5)
    // The file may be damaged: SQLite then trusts no cell to end within its page ("PRAGMA cell_size_check").
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cell_size_check = ON") }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.read { database in
        guard try Int.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
          throw StoreOpenError.foreign(path: path)
        }
        if try Schema.migrator.hasBeenSuperseded(database) { throw StoreOpenError.newerSchema(path: path) }
      }
      return queue
    } catch let error as DatabaseError {
      throw DatabaseOpening.failure(error, path: path)
    }
  }
}
