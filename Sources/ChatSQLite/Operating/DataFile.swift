import Glibc

/// File operations of backup, restore and check. A crash at any moment leaves either the old file or the new one.
enum DataFile {
  /// The files that SQLite keeps beside a database.
  static let companions = ["-wal", "-shm"]

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The size of a file in bytes; 0 if it does not exist.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Synchronises a file's content, or a folder's entries, to disk.
  static func synchronise(_ path: String) throws(OperatingError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  /// Renames a finished file, replacing any existing one, and synchronises the folder.
  static func move(_ path: String, to name: String) throws(OperatingError) {
    guard rename(path, name) == 0 else { throw failure(name) }
    try synchronise(folder(of: name))
  }

  /// Adds a second name (a hard link) to a file; does nothing if the file does not exist.
  static func keep(_ path: String, as name: String) throws(OperatingError) {
    guard exists(path) else { return }
    guard link(path, name) == 0 else { throw failure(name) }
  }

  /// Removes a file, if it exists.
  static func remove(_ path: String) { unlink(path) }

  /// Removes a database and its companion files.
  static func removeDatabase(_ path: String) {
    for suffix in [""] + companions + ["-journal"] { remove(path + suffix) }
  }

  /// The name itself if it is free, otherwise with the first number that makes it free.
  static func freeName(_ name: String) -> String {
    guard exists(name) else { return name }
    for number in 2... where !exists("\(name)-\(number)") { return "\(name)-\(number)" }
    return name
  }

  /// Gives a file created by root to the owner of the folder: the server runs as another user.
  static func give(_ path: String, toOwnerOf folder: String) {
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0 else { return }
    chown(path, status.st_uid, status.st_gid)
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The current time as part of a file name: `2026-11-21T12-30-05Z`.
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
