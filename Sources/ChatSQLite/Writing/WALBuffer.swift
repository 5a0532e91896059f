import GRDBSQLite

/// Gathers what a transaction appends to the write-ahead log and writes it in few pieces: SQLite itself asks the system
/// twice for each page, which was a fifth of a send. A VFS that stands before SQLite's own for the whole process ("The SQLite
/// OS Interface or VFS", sqlite.org/vfs.html); what does not concern a WAL passes through.
enum WALBuffer {
  /// SQLite's own VFS.
  ///
  /// `nonisolated(unsafe)`: SQLite neither changes it nor takes it away.
  nonisolated(unsafe) fileprivate static let base: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

  /// Where the state of a WAL's file stands: behind what `base` keeps of it.
  fileprivate static let stateOffset = (Int(base?.pointee.szOsFile ?? 0) + 7) / 8 * 8

  private static let isInstalled: Bool = {
    guard let base else { return false }
    // SQLite refers to it for as long as the process lives.
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: base.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.szOsFile = CInt(stateOffset + MemoryLayout<UnsafeRawPointer>.size)
    vfs.pointee.xOpen = { _, name, file, flags, outFlags in
      guard let base = WALBuffer.base, let code = base.pointee.xOpen?(base, name, file, flags, outFlags) else {
        return SQLITE_CANTOPEN
      }
      if code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let file { WALFile.wrap(file) }
      return code
    }
    let name: StaticString = "hubbub"
    vfs.pointee.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }()

  /// Makes it the VFS of all databases that are opened from now on. Returns whether it is; again: no
  /// effect. Callable from any thread.
  @discardableResult
  static func install() -> Bool { isInstalled }
}

/// The WAL of one connection, which works on one thread at a time.
///
/// What is gathered is frame headers with their pages, one after the other ("WAL File Format", sqlite.org/fileformat2.html
/// #walformat). It is written once the frame that commits is there, so that a failure is known before the commit is, and
/// nobody else looks for it before; also before the file is synchronised, read, cut or measured, and when it gets too much.
private final class WALFile {
  /// How many bytes are gathered at most: SQLite's own VFS takes less than 2^17 at once.
  private static let capacity = 120 * 1024
  private static let headerSize: CInt = 24

  private let file: UnsafeMutablePointer<sqlite3_file>
  private let base: sqlite3_io_methods
  private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  private var buffer: UnsafeMutableRawPointer?
  /// Where in the file the buffer begins, and how much it holds.
  private var start: sqlite3_int64 = 0
  private var count = 0
  /// Where the last write ended.
  private var end: sqlite3_int64 = -1
  /// Whether the frame whose header was written last commits.
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
    let log = WALFile(file, base: base.pointee)
    state(of: file).pointee = Unmanaged.passRetained(log).toOpaque()
    let methods = log.methods
    methods.initialize(to: base.pointee)
    methods.pointee.xWrite = { WALFile.of($0)?.write($1, $2, $3) ?? SQLITE_IOERR }
    methods.pointee.xRead = { file, bytes, size, position in
      WALFile.of(file)?.afterFlush { $0.xRead?(file, bytes, size, position) } ?? SQLITE_IOERR
    }
    methods.pointee.xTruncate = { file, size in
      WALFile.of(file)?.afterFlush { $0.xTruncate?(file, size) } ?? SQLITE_IOERR
    }
    methods.pointee.xSync = { file, flags in
      WALFile.of(file)?.afterFlush { $0.xSync?(file, flags) } ?? SQLITE_IOERR
    }
    methods.pointee.xFileSize = { file, size in
      WALFile.of(file)?.afterFlush { $0.xFileSize?(file, size) } ?? SQLITE_IOERR
    }
    methods.pointee.xClose = { file in
      guard let file, let state = WALFile.state(of: file).pointee else { return SQLITE_IOERR }
      // What is gathered yet was never committed: it goes with its buffer.
      let log = Unmanaged<WALFile>.fromOpaque(state).takeRetainedValue()
      return log.base.xClose?(file) ?? SQLITE_IOERR
    }
    file.pointee.pMethods = UnsafePointer(methods)
  }

  private func write(_ bytes: UnsafeRawPointer?, _ size: CInt, _ position: sqlite3_int64) -> CInt {
    guard let bytes else { return SQLITE_IOERR }
    let isHeader = size == Self.headerSize
    // A new piece begins with a frame's header, where the last ended. All else (headers that are written anew, that of
    // the file) goes its usual way.
    guard position == end, isHeader || count > 0, Int(size) <= Self.capacity else {
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
    if isHeader {
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
    (UnsafeMutableRawPointer(file) + WALBuffer.stateOffset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> WALFile? {
    guard let file else { return nil }
    return state(of: file).pointee.map { Unmanaged<WALFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
