import GRDB
import GRDBSQLite

/// Receives the duration of each statement from SQLite and reports the slow ones. Uses SQLite's interface directly,
/// because GRDB would create an event for every statement, of which one in a million matters.
final class SlowQueries: Sendable {
  private let nanoseconds: Int64
  private let observer: SlowQueryObserver

  init(longerThan bar: Duration, observer: @escaping SlowQueryObserver) {
    nanoseconds = Int64(bar / .nanoseconds(1))
    self.observer = observer
  }

  /// Observes a connection, whose configuration must retain this object while it is open. The reported SQL is the
  /// prepared text, without bound values.
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

  /// SQLite reports nanoseconds, measured by a millisecond clock.
  private func finished(_ statement: OpaquePointer, after time: Int64) {
    guard time > nanoseconds, let sql = sqlite3_sql(statement) else { return }
    observer(String(cString: sql), .nanoseconds(time))
  }
}
