import Foundation
import GRDB
import Glibc
import Synchronization

/// Looks a database that is in use through, once, on a thread of the lowest priority and a connection of its own: what
/// was too much to read before the start. Table by table, so that no reader holds the WAL for long.
final class BackgroundCheck: Sendable {
  private let path: String
  private let state = Mutex<(connection: DatabaseQueue?, hasEnded: Bool)>((nil, false))

  init(path: String) {
    self.path = path
  }

  /// Begins. `onDamage` is called once, on that thread, where something is wrong.
  func start(onDamage: @escaping @Sendable (StoreOpenError) -> Void) {
    let thread = Thread { [self] in
      // Of this thread alone, on Linux.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
      if isDamaged() { onDamage(.damaged(path: path, backup: LastBackup.newest(of: path))) }
    }
    thread.name = "hubbub-check"
    thread.start()
  }

  /// Ends it, wherever it is.
  func stop() {
    state.withLock { state in
      state.hasEnded = true
      state.connection?.interrupt()
    }
  }

  private func isDamaged() -> Bool {
    // What cannot be asked, or was interrupted, is not known to be damaged.
    guard let connection = try? DatabaseReading.open(path) else { return false }
    let goesOn = state.withLock { state in
      state.connection = connection
      return !state.hasEnded
    }
    guard goesOn else { return false }
    defer {
      state.withLock { $0.connection = nil }
      try? connection.close()
    }
    do {
      let tables = try connection.read { database in
        try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
      }
      for table in tables {
        // An interruption between two tables interrupts nothing.
        if state.withLock({ $0.hasEnded }) { return false }
        if try connection.read({ try QuickCheck.finding(in: $0, table: table) }) != nil { return true }
      }
      return false
    } catch let error as DatabaseError {
      return error.resultCode == .SQLITE_CORRUPT && !state.withLock { $0.hasEnded }
    } catch {
      return false
    }
  }
}
