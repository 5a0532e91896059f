/// Why a backup, restore or check failed. Each description is one line that includes the remedy.
package enum OperatingError: Error, Hashable, Sendable {
  /// There is no database to work on.
  case noData(path: String)
  /// A file that may not be replaced is in the way.
  case inTheWay(path: String)
  /// A file cannot be written; with the system's message.
  case notWritable(path: String, reason: String)
  /// The disk is full.
  case diskFull(path: String)
  /// The copy is not sound; with the first finding.
  case notSound(path: String, finding: String)
  /// Reading or copying failed; with SQLite's message.
  case failed(path: String, reason: String)
}

extension OperatingError: CustomStringConvertible {
  package var description: String {
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
