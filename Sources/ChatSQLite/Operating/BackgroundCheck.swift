import Foundation
import GRDB
import Glibc
import Synchronization

/// Checks a database in use, once, on a lowest-priority thread with its own connection, if it is too large to check
/// before the start. It checks one table at a time, so that no read blocks checkpoints for long.
final class BackgroundCheck: Sendable {
  private let path: String
  private let state = Mutex<(connection: DatabaseQueue?, hasEnded: Bool)>((nil, false))

  init(path: String) {
    self.path = path
  }

  /// Starts the check. `onDamage` is called on its thread, at most once, if the database is damaged.
  func start(onDamage: @escaping @Sendable (StoreOpenError) -> Void) {
    let thread = Thread { [self] in
      // On Linux this affects only the calling thread.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
      if isDamaged() { onDamage(.damaged(path: path, backup: LastBackup.newest(of: path))) }
    }
    thread.name = "hubbub-check"
    thread.start()
  }

  /// Stops the check wherever it is.
  func stop() {
    state.withLock { state in
      state.hasEnded = true
      state.connection?.interrupt()
    }
  }

  private func isDamaged() -> Bool {
    // A check that fails to run or is interrupted says nothing about damage.
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
        // An interrupt between two tables would have no effect.
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
