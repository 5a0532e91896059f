import Glibc

/// What a backup, a restore and a check do with files, so that a crash at any moment leaves the old one or the new one.
enum DataFile {
  /// What SQLite keeps beside a database.
  static let companions = ["-wal", "-shm"]

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The size of a file in bytes; 0 where there is none.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Has the disk keep a file's bytes, or a folder's names.
  static func synchronise(_ path: String) throws(OperatingError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  /// Gives a finished file its name, in place of what had it, and has the disk keep that.
  static func move(_ path: String, to name: String) throws(OperatingError) {
    guard rename(path, name) == 0 else { throw failure(name) }
    try synchronise(folder(of: name))
  }

  /// A second name for a file's bytes; without a file, none.
  static func keep(_ path: String, as name: String) throws(OperatingError) {
    guard exists(path) else { return }
    guard link(path, name) == 0 else { throw failure(name) }
  }

  /// Removes a file; one that is not there is removed already.
  static func remove(_ path: String) { unlink(path) }

  /// A database and what stands beside it.
  static func removeDatabase(_ path: String) {
    for suffix in [""] + companions + ["-journal"] { remove(path + suffix) }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The present moment as part of a file's name: `2026-11-21T12-30-05Z`.
  static func stamp() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day)T\(two(parts.tm_hour))-\(two(parts.tm_min))-\(two(parts.tm_sec))Z"
  }

  private static func failure(_ path: String) -> OperatingError {
    errno == ENOSPC || errno == EDQUOT
      ? .diskFull(path: path) : .notWritable(path: path, reason: String(cString: strerror(errno)))
  }
}
