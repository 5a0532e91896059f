import GRDB

/// What a database holds, for the person who looks after it.
public struct DatabaseSummary: Hashable, Sendable {
  /// The file.
  public var path: String
  /// Accounts of this instance.
  public var accounts: Int
  /// Rooms, of two and of more.
  public var rooms: Int
  /// Messages, deleted ones included, since they keep their place.
  public var messages: Int
  /// The number of the last event.
  public var lastEventID: Int64
  /// The file's pages in bytes.
  public var bytes: Int

  init(_ database: Database, path: String) throws {
    self.path = path
    accounts = try Int.fetchOne(database, sql: "SELECT count(*) FROM accounts") ?? 0
    rooms = try Int.fetchOne(database, sql: "SELECT count(*) FROM rooms") ?? 0
    // Numbers have no gaps, so the last of each room is its count.
    messages = try Int.fetchOne(database, sql: "SELECT sum(last_seq) FROM rooms") ?? 0
    lastEventID = try database.lastEventID()
    bytes =
      try Int.fetchOne(database, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  func named(_ path: String) -> DatabaseSummary {
    var summary = self
    summary.path = path
    return summary
  }
}

extension DatabaseSummary: CustomStringConvertible {
  /// `/backups/hubbub.sqlite: 12 accounts, 40 rooms, 1234 messages, last event 2210, 3.4 MB`
  public var description: String {
    let megabytes = Double((bytes + 50_000) / 100_000) / 10
    return
      "\(path): \(accounts) accounts, \(rooms) rooms, \(messages) messages, last event \(lastEventID), \(megabytes) MB"
  }
}

/// Opens a database of ours to read it only, whoever else has it open.
enum DatabaseReading {
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "hubbub-reading"
    configuration.busyMode = .timeout(5)
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
