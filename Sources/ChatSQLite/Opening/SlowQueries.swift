import GRDB
import GRDBSQLite

/// Hears from SQLite how long each statement took, and tells of those that took too long. SQLite is asked directly: for
/// every statement GRDB would make an event first, of which one in a million is looked at.
final class SlowQueries: Sendable {
  private let nanoseconds: Int64
  private let observer: SlowQueryObserver

  init(longerThan bar: Duration, observer: @escaping SlowQueryObserver) {
    nanoseconds = Int64(bar / .nanoseconds(1))
    self.observer = observer
  }

  /// Watches a connection, whose configuration keeps this object for as long as it is open. The text of a statement is as
  /// it was prepared, without the values bound to it.
  func watch(_ database: Database) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      database.sqliteConnection, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, time in
        guard let context, let statement, let time else { return 0 }
        let queries = Unmanaged<SlowQueries>.fromOpaque(context).takeUnretainedValue()
        queries.finished(OpaquePointer(statement), after: time.load(as: Int64.self))
        return 0
      }, this)
  }

  /// SQLite measures in nanoseconds, with a clock of milliseconds.
  private func finished(_ statement: OpaquePointer, after time: Int64) {
    guard time > nanoseconds, let sql = sqlite3_sql(statement) else { return }
    observer(String(cString: sql), .nanoseconds(time))
  }
}
