import Glibc

/// An exclusive lock on the data, held until it is released or this object goes: two writers would each believe to be
/// the only one.
///
/// The lock belongs to the open file, so the kernel takes it back however the program ends, and a second store of the
/// same program is kept out as well.
final class DataLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock in the file at `path`, which is made where it is missing. Throws `.inUse` when another has it.
  init(path: String, of database: String) throws(StoreOpenError) {
    descriptor = try PrivateFile.open(path, of: database)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      Glibc.close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw .failed(path: database, reason: "its lock failed with \(systemMessage(reason))")
      }
      throw .inUse(path: database)
    }
  }

  /// Gives the lock back. Again: no effect.
  func release() {
    flock(descriptor, LOCK_UN)
  }

  deinit {
    Glibc.close(descriptor)
  }
}

/// Files that only their owner may read (SECURITY 16).
enum PrivateFile {
  /// Opens a file for reading and writing, made with mode 0600 where it is missing and set to it where it was wider.
  static func open(_ path: String, of database: String) throws(StoreOpenError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .folderMissing(path: database)
      case EACCES, EPERM, EROFS: throw .notWritable(path: database)
      case EISDIR: throw .notADatabase(path: database)
      default: throw .failed(path: database, reason: systemMessage(errno))
      }
    }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Makes the database's file before SQLite does: its WAL and index then get the same mode from SQLite.
  static func prepare(_ database: String) throws(StoreOpenError) {
    Glibc.close(try open(database, of: database))
    for suffix in ["-wal", "-shm"] { chmod(database + suffix, 0o600) }
  }
}

private func systemMessage(_ number: Int32) -> String {
  String(cString: strerror(number))
}
