import Glibc

/// The status of a directory entry; symbolic links are not followed.
package struct FileStatus: Hashable, Sendable {
  /// The kinds that callers distinguish.
  package enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, device, pipe or socket.
    case other
  }

  package let kind: Kind
  /// The size in bytes.
  package let size: Int
  /// The time of the last change in nanoseconds since 1970.
  package let modificationNanoseconds: Int
  /// The inode number; a replaced file has another.
  package let inode: UInt64

  /// The time of the last change in whole seconds since 1970.
  package var modificationTime: Int { modificationNanoseconds / 1_000_000_000 }
}

/// Reading directories. Blocks on the disk.
extension SystemCall {
  /// The status of `path`; if it is a symbolic link, of the link itself.
  package static func status(of path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    try require("lstat") { lstat(path, &status) }
    let kind: FileStatus.Kind
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    default: kind = .other
    }
    return FileStatus(
      kind: kind, size: Int(status.st_size),
      modificationNanoseconds: Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec),
      inode: UInt64(status.st_ino))
  }

  /// The names in a directory, sorted, without `.`, `..` and names that are not UTF-8.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let directory = opendir(path) else { throw SystemError(code: errno, call: "opendir") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          String(validatingCString: $0)
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
