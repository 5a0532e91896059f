import Glibc

/// What a directory's entry is, without following a symbolic link.
public struct FileStatus: Hashable, Sendable {
  /// The kinds that matter.
  public enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, a device, a pipe, a socket.
    case other
  }

  /// The kind.
  public let kind: Kind
  /// The size in bytes.
  public let size: Int
  /// The time of the last change in nanoseconds since 1970.
  public let modificationNanoseconds: Int
  /// The file's number on its device: a file that was replaced has another.
  public let inode: UInt64

  /// The time of the last change in whole seconds since 1970.
  public var modificationTime: Int { modificationNanoseconds / 1_000_000_000 }
}

/// Reading directories. Blocks on the disk.
extension SystemCall {
  /// The status of `path`, of the link itself where it is one.
  public static func status(of path: String) throws(SystemError) -> FileStatus {
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

  /// The names in a directory in order, `.` and `..` and names that are not UTF-8 left out.
  public static func names(in path: String) throws(SystemError) -> [String] {
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
