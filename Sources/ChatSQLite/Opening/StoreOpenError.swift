/// Why the data cannot be opened; each description is one line that says what to do.
public enum StoreOpenError: Error, Hashable, Sendable {
  /// The folder of the database does not exist.
  case folderMissing(path: String)
  /// The database or its folder may not be written.
  case notWritable(path: String)
  /// Another program has the data open.
  case inUse(path: String)
  /// The file is not an SQLite database.
  case notADatabase(path: String)
  /// The file is a database of some other program.
  case foreign(path: String)
  /// The database was written by a newer Hubbub.
  case newerSchema(path: String)
  /// SQLite found the database damaged; the newest backup of it that is still there, where one is known.
  case damaged(path: String, backup: String?)
  /// There is no room on the disk, not even to open.
  case diskFull(path: String)
  /// Anything else, in SQLite's or the system's words.
  case failed(path: String, reason: String)
}

extension StoreOpenError: CustomStringConvertible {
  /// The failure and its remedy in one line.
  public var description: String {
    switch self {
    case .folderMissing(let path):
      "The folder of \(path) does not exist. Create it, or name another with --data."
    case .notWritable(let path):
      "\(path) cannot be written. Give this user the right to write it and its folder."
    case .inUse(let path):
      "\(path) is open in another program. Stop that one first."
    case .notADatabase(let path):
      "\(path) is not an SQLite database. Move it away, or name another folder with --data."
    case .foreign(let path):
      "\(path) is a database of another program. Name another folder with --data."
    case .newerSchema(let path):
      "\(path) was written by a newer Hubbub. Run that version, or restore a backup made by this one."
    case .damaged(let path, let backup?):
      "\(path) is damaged. Restore the newest backup: hubbub restore \(backup)"
    case .damaged(let path, nil):
      "\(path) is damaged. Restore the newest backup with hubbub restore FILE."
    case .diskFull(let path):
      "The disk of \(path) is full. Make room, then start again."
    case .failed(let path, let reason):
      "\(path) cannot be opened: \(reason)."
    }
  }
}
