import Chat
import GRDB

extension ChatError {
  /// What a failure of the database means to the core. Never carries values, only SQLite's own words.
  init(database error: any Error) {
    switch error {
    case let error as ChatError:
      self = error
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      self = .storageFull
    case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT:
      self = .conflict("That is taken already.")
    case let error as DatabaseError:
      let code = error.extendedResultCode.rawValue
      self = .unavailable("The database answered \(code): \(error.message ?? "no reason").")
    default:
      self = .unavailable("The database could not be asked.")
    }
  }
}

extension DatabaseError {
  /// Whether the failure concerns the statement alone, so that the rest of the transaction may stand.
  var spares: Bool {
    switch resultCode {
    case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_ERROR, .SQLITE_MISUSE: true
    default: false
    }
  }

  /// Whether the disk failed to make data durable. The kernel reports that once and then forgets, so that a later
  /// synchronisation says nothing of what was lost.
  var lostDurability: Bool {
    extendedResultCode == .SQLITE_IOERR_FSYNC || extendedResultCode == .SQLITE_IOERR_DIR_FSYNC
  }
}
