/// Why a backup, a restore or a check did not do what it should; each description is one line that says what to do.
public enum OperatingError: Error, Hashable, Sendable {
  /// There is no database to work on.
  case noData(path: String)
  /// The file is there, and is not one that may be replaced.
  case inTheWay(path: String)
  /// A file cannot be written, in the system's words.
  case notWritable(path: String, reason: String)
  /// The disk is full.
  case diskFull(path: String)
  /// The copy is not sound; the first of what was found.
  case notSound(path: String, finding: String)
  /// Reading or copying failed in SQLite's words.
  case failed(path: String, reason: String)
}

extension OperatingError: CustomStringConvertible {
  /// The failure and its remedy in one line.
  public var description: String {
    switch self {
    case .noData(let path):
      "There is no database at \(path). Name the folder that holds it with --data."
    case .inTheWay(let path):
      "\(path) exists and is no backup of Hubbub. Name another file; nothing was written."
    case .notWritable(let path, let reason):
      "\(path) cannot be written: \(reason). Nothing was changed; name another place, or give this user the right."
    case .diskFull(let path):
      "The disk of \(path) is full. Nothing was changed; make room, or name another place."
    case .notSound(let path, let finding):
      "\(path) is not sound: \(finding). Nothing was changed; use another backup."
    case .failed(let path, let reason):
      "\(path) cannot be used: \(reason). Nothing was changed."
    }
  }
}
