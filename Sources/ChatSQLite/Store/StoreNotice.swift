/// A condition of the store that an operator should know about.
package enum StoreNotice: Sendable, Hashable {
  /// Little disk space is left, in bytes.
  case diskIsTight(free: Int)
  /// Writes are refused because the disk is full.
  case writingIsRefused
  /// Writes are accepted again.
  case writingResumes
  /// Another program has written to the database.
  case foreignWrite
  /// Marks of the search index could not be processed, for this reason.
  case searchIndexFailed(String)
  /// The WAL cannot be reset because a reader needs it; its size in bytes.
  case walIsHeld(bytes: Int)
}

extension StoreNotice: CustomStringConvertible {
  /// The condition, and its remedy if there is one, in one line.
  package var description: String {
    switch self {
    case .diskIsTight: "the disk is nearly full: make room before writing is refused"
    case .writingIsRefused: "the disk is full: writing is refused until there is room"
    case .writingResumes: "there is room on the disk again: writing resumes"
    case .foreignWrite: "another program has written to the database: nobody but Hubbub may"
    case .searchIndexFailed: "messages could not be indexed for search; if this stays, run hubbub check --repair-search"
    case .walIsHeld: "the WAL cannot start over while a program reads an old state, such as a backup or a shell"
    }
  }
}

/// Receives notices, on any thread.
package typealias StoreObserver = @Sendable (StoreNotice) -> Void
