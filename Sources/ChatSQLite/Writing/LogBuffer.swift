import GRDBSQLite

/// Gathers what a transaction appends to the write-ahead log and writes it in few pieces: SQLite itself asks the system
/// twice for each page, which was a fifth of a send. Stands for the whole process below SQLite, in the place of its own way
/// to files ("The SQLite OS Interface or VFS", sqlite.org/vfs.html); what does not concern a log passes through.
enum LogBuffer {
  /// SQLite's own way to files.
  ///
  /// `nonisolated(unsafe)`: SQLite neither changes it nor takes it away.
  nonisolated(unsafe) fileprivate static let base: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

  /// Where the state of a log's file stands: behind what `base` keeps of it.
  fileprivate static let stateOffset = (Int(base?.pointee.szOsFile ?? 0) + 7) / 8 * 8

  private static let isInstalled: Bool = {
    guard let base else { return false }
    // SQLite refers to it for as long as the process lives.
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: base.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.szOsFile = CInt(stateOffset + MemoryLayout<UnsafeRawPointer>.size)
    vfs.pointee.xOpen = { _, name, file, flags, outFlags in
      guard let base = LogBuffer.base, let code = base.pointee.xOpen?(base, name, file, flags, outFlags) else {
        return SQLITE_CANTOPEN
      }
      if code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let file { LogFile.wrap(file) }
      return code
    }
    let name: StaticString = "hubbub"
    vfs.pointee.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }()

  /// Makes it SQLite's way to files for all databases that are opened from now on. Returns whether it is; again: no
  /// effect. Callable from any thread.
  @discardableResult
  static func install() -> Bool { isInstalled }
}

/// The log of one connection, which works on one thread at a time.
///
/// What is gathered is heads of frames with their pages, one after the other ("WAL File Format", sqlite.org/fileformat2.html
/// #walformat). It is written once the frame that commits is there, so that a failure is known before the commit is, and
/// nobody else looks for it before; also before the file is synchronised, read, cut or measured, and when it gets too much.
private final class LogFile {
  /// How many bytes are gathered at most: SQLite's own way to files takes less than 2^17 at once.
  private static let capacity = 120 * 1024
  private static let headSize: CInt = 24

  private let file: UnsafeMutablePointer<sqlite3_file>
  private let base: sqlite3_io_methods
  private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  private var buffer: UnsafeMutableRawPointer?
  /// Where in the file the buffer begins, and how much it holds.
  private var start: sqlite3_int64 = 0
  private var count = 0
  /// Where the last write ended.
  private var end: sqlite3_int64 = -1
  /// Whether the frame whose head was written last commits.
  private var commits = false

  private init(_ file: UnsafeMutablePointer<sqlite3_file>, base: sqlite3_io_methods) {
    (self.file, self.base) = (file, base)
  }

  deinit {
    buffer?.deallocate()
    methods.deallocate()
  }

  /// SQLite asks this one from now on, until it closes the file.
  static func wrap(_ file: UnsafeMutablePointer<sqlite3_file>) {
    guard let base = file.pointee.pMethods else { return }
    let log = LogFile(file, base: base.pointee)
    state(of: file).pointee = Unmanaged.passRetained(log).toOpaque()
    let methods = log.methods
    methods.initialize(to: base.pointee)
    methods.pointee.xWrite = { LogFile.of($0)?.write($1, $2, $3) ?? SQLITE_IOERR }
    methods.pointee.xRead = { file, bytes, size, position in
      LogFile.of(file)?.afterFlush { $0.xRead?(file, bytes, size, position) } ?? SQLITE_IOERR
    }
    methods.pointee.xTruncate = { file, size in
      LogFile.of(file)?.afterFlush { $0.xTruncate?(file, size) } ?? SQLITE_IOERR
    }
    methods.pointee.xSync = { file, flags in
      LogFile.of(file)?.afterFlush { $0.xSync?(file, flags) } ?? SQLITE_IOERR
    }
    methods.pointee.xFileSize = { file, size in
      LogFile.of(file)?.afterFlush { $0.xFileSize?(file, size) } ?? SQLITE_IOERR
    }
    methods.pointee.xClose = { file in
      guard let file, let state = LogFile.state(of: file).pointee else { return SQLITE_IOERR }
      // What is gathered yet was never committed: it goes with its buffer.
      let log = Unmanaged<LogFile>.fromOpaque(state).takeRetainedValue()
      return log.base.xClose?(file) ?? SQLITE_IOERR
    }
    file.pointee.pMethods = UnsafePointer(methods)
  }

  private func write(_ bytes: UnsafeRawPointer?, _ size: CInt, _ position: sqlite3_int64) -> CInt {
    guard let bytes else { return SQLITE_IOERR }
    let isHead = size == Self.headSize
    // A new piece begins with a frame's head, where the last ended. All else (heads that are written anew, the head of
    // the file) goes its usual way.
    guard position == end, isHead || count > 0, Int(size) <= Self.capacity else {
      end = position + sqlite3_int64(size)
      return afterFlush { $0.xWrite?(file, bytes, size, position) }
    }
    if count + Int(size) > Self.capacity {
      let code = flush()
      guard code == SQLITE_OK else { return code }
    }
    let buffer = buffer ?? .allocate(byteCount: Self.capacity, alignment: 16)
    self.buffer = buffer
    if count == 0 { start = position }
    (buffer + count).copyMemory(from: bytes, byteCount: Int(size))
    count += Int(size)
    end = position + sqlite3_int64(size)
    if isHead {
      // Four bytes behind the page's number: the size of the database where the frame commits, else nothing.
      commits = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
      return SQLITE_OK
    }
    return commits ? flush() : SQLITE_OK
  }

  /// What cannot be written is given up: SQLite takes the transaction back, and writes over it.
  private func flush() -> CInt {
    guard count > 0 else { return SQLITE_OK }
    let size = CInt(count)
    count = 0
    return base.xWrite?(file, buffer, size, start) ?? SQLITE_IOERR
  }

  private func afterFlush(_ act: (sqlite3_io_methods) -> CInt?) -> CInt {
    let code = flush()
    return code == SQLITE_OK ? act(base) ?? SQLITE_IOERR : code
  }

  private static func state(
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (UnsafeMutableRawPointer(file) + LogBuffer.stateOffset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> LogFile? {
    guard let file else { return nil }
    return state(of: file).pointee.map { Unmanaged<LogFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
