import Glibc

/// The free space on the disk that holds the data.
struct DiskSpace {
  /// The space available to this program, in bytes.
  var free: Int
  /// The size of the whole disk, in bytes.
  var total: Int

  /// Queries the system, in about a microsecond. Nil if it cannot tell; then nothing is limited.
  init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    free = Int(status.f_bavail) * Int(status.f_frsize)
    total = Int(status.f_blocks) * Int(status.f_frsize)
  }

  /// Whether an operator should free space: less than a tenth, and less than half a gigabyte, is free.
  var isTight: Bool { free < min(total / 10, 512 << 20) }
}
