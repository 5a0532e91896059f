import Glibc

/// An exclusive lock on the data, held until it is released or this object is deallocated. Without it, two servers
/// would each assume to be the only writer.
///
/// The lock belongs to the open file, so the kernel releases it however the program ends, and it also excludes a second
/// store in the same program.
final class DataLock: Sendable {
  private let descriptor: Int32

  /// Locks the file at `path`, creating it if it is missing. Throws `.inUse` if it is locked already.
  init(path: String, of database: String) throws(StoreOpenError) {
    descriptor = try PrivateFile.open(path, of: database)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // The object is complete, so that `deinit` closes the file.
      guard errno == EWOULDBLOCK else {
        throw .failed(path: database, reason: "its lock failed with \(systemMessage(errno))")
      }
      throw .inUse(path: database)
    }
  }

  /// Releases the lock. Idempotent.
  func release() {
    flock(descriptor, LOCK_UN)
  }

  deinit {
    let result = Glibc.close(descriptor)
    precondition(result == 0 || errno != EBADF, "closed twice: descriptor \(descriptor)")
  }
}

/// Files that only their owner may read.
enum PrivateFile {
  /// Opens a file for reading and writing with mode 0600. A missing file is created and given to the owner of its
  /// folder.
  static func open(_ path: String, of database: String) throws(StoreOpenError) -> Int32 {
    let isNew = !DataFile.exists(path)
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
    // An operator's command run as root may create the file, but the server runs as another user.
    if isNew { DataFile.give(path, toOwnerOf: DataFile.folder(of: path)) }
    return descriptor
  }

  /// Creates the database file before SQLite does, so that SQLite gives its WAL and index the same mode.
  static func prepare(_ database: String) throws(StoreOpenError) {
    Glibc.close(try open(database, of: database))
    for suffix in ["-wal", "-shm"] { chmod(database + suffix, 0o600) }
  }
}

private func systemMessage(_ number: Int32) -> String {
  String(cString: strerror(number))
}
