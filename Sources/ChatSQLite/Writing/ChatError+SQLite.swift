import Chat
import GRDB

extension ChatError {
  /// Maps a database error to the core's error. Contains only SQLite's message, never values.
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
      self = .unavailable("The database query failed.")
    }
  }
}

extension DatabaseError {
  /// Whether the error affects only its statement, so that the rest of the transaction can be kept.
  var spares: Bool {
    switch resultCode {
    case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_ERROR, .SQLITE_MISUSE: true
    default: false
    }
  }

  /// Whether the disk caused the error, rather than the data being written.
  var isOfTheDisk: Bool {
    switch resultCode {
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY: true
    default: false
    }
  }

  /// Whether the disk failed to make data durable. The kernel reports that once and then forgets it, so a later
  /// synchronisation does not reveal what was lost.
  var lostDurability: Bool {
    extendedResultCode == .SQLITE_IOERR_FSYNC || extendedResultCode == .SQLITE_IOERR_DIR_FSYNC
  }
}
