import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Checkpoints the WAL, depending on its size and on the free disk space.
///
/// Most pages are copied on a separate thread and connection, concurrently with the writer. The writer's thread then
/// copies the few written meanwhile, so that the WAL is reset. If overlapping reads prevent that until the WAL has
/// twice the size, new long reads wait for one RESTART checkpoint.
///
/// `step` must be called on the writer's thread; everything else is callable from any thread.
final class Checkpointer: Sendable {
  private enum Phase { case idle, copying, copied, holding }
  private struct State {
    var phase = Phase.idle
    var connection: DatabaseQueue?
    /// No checkpoint before this time.
    var pause = ContinuousClock.now
    /// When held reads continue, whatever happens.
    var holdEnds = ContinuousClock.now
    var isClosed = false
    var space: DiskSpace?
  }

  /// The number of frames in the WAL, as reported by SQLite after each of the writer's commits.
  private let frames = Atomic(0)
  private let state = Mutex(State())
  private let path: String
  private let limits: StoreLimits
  private let longReads: LongReads
  private let notice: StoreObserver
  private let wake: @Sendable () -> Void
  private let queue = DispatchQueue(label: "hubbub-checkpoint", qos: .utility)
  /// Up to this many frames are copied on the writer's thread.
  private static let fewFrames = 256
  private static let frameSize = 4096 + 24

  /// `wake` makes the writer's thread read `due` again.
  init(
    path: String, limits: StoreLimits, longReads: LongReads, notice: @escaping StoreObserver,
    wake: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.limits = limits
    self.longReads = longReads
    self.notice = notice
    self.wake = wake
  }

  /// Tracks the WAL's frames through the writer's connection, which disables SQLite's automatic checkpoints.
  func watch(_ database: Database) {
    sqlite3_wal_hook(
      database.sqliteConnection,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue()
        checkpointer.frames.store(Int(frames), ordering: .relaxed)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The free disk space, queried again by the writer before each transaction.
  func askSpace() -> DiskSpace? {
    let space = DiskSpace(at: DataFile.folder(of: path))
    state.withLock { $0.space = space }
    return space
  }

  /// When the writer's thread should call `step` even if it is idle; nil for never.
  var due: ContinuousClock.Instant? {
    state.withLock { state in
      switch state.phase {
      case .idle, .copying: nil
      case .copied: state.pause
      case .holding: .now + .milliseconds(2)
      }
    }
  }

  /// Does what is due between two transactions, which nearly always is nothing.
  func step(on database: Database) {
    let size = frames.load(ordering: .relaxed) * Self.frameSize
    let (phase, space, holdEnds): (Phase, DiskSpace?, ContinuousClock.Instant) = state.withLock { state in
      (state.pause <= .now && !state.isClosed ? state.phase : .copying, state.space, state.holdEnds)
    }
    switch phase {
    case .copying: break
    case .idle: if size > bar(space) { begin() }
    case .copied: finish(on: database, size: size, bar: bar(space), isTight: (space?.free ?? .max) < limits.walSize)
    case .holding: if longReads.areAtRest || holdEnds <= .now { restart(on: database, size: size) }
    }
  }

  /// Truncates the WAL on the writer's thread, if readers allow it. Returns whether it succeeded.
  @discardableResult
  func truncate(on database: Database) -> Bool {
    Self.checkpoint("TRUNCATE", on: database).map { $0.busy == 0 } ?? false
  }

  /// Starts no more checkpoints, and returns when none is running.
  func close() {
    state.withLock { $0.isClosed = true }
    queue.sync {}
    state.withLock { state in
      try? state.connection?.close()
      state.connection = nil
    }
  }

  /// The size at which the WAL is checkpointed now; its own size counts as free.
  private func bar(_ space: DiskSpace?) -> Int {
    guard let space, space.free < limits.walSize * 8 else { return limits.walSize }
    return min(limits.walSize, max(limits.leastWALSize, (space.free + DataFile.size(path + "-wal")) / 4))
  }

  // MARK: Beside the writer

  private func begin() {
    let begins = state.withLock { state in
      guard !state.isClosed else { return false }
      state.phase = .copying
      return true
    }
    if begins { queue.async { self.copy() } }
  }

  private func copy() {
    var isDone = false
    if let connection = connection() {
      // Frames written during a checkpoint are left for the next one.
      for _ in 0..<4 {
        let result = connection.inDatabase { Self.checkpoint("PASSIVE", on: $0) }
        guard let result else { break }
        isDone = true
        if result.frames - result.copied <= Self.fewFrames { break }
      }
    }
    state.withLock { state in
      state.phase = isDone ? .copied : .idle
      if !isDone { state.pause = .now + .milliseconds(500) }
    }
    wake()
  }

  private func connection() -> DatabaseQueue? {
    if let connection = state.withLock({ $0.connection }) { return connection }
    var configuration = Configuration()
    configuration.label = "hubbub-checkpoint"
    configuration.busyMode = .timeout(0.1)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let connection = try? DatabaseQueue(path: path, configuration: configuration)
    state.withLock { $0.connection = connection }
    return connection
  }

  // MARK: On the writer's thread

  /// Copies the rest; the next write then resets the WAL, unless a read still needs it.
  private func finish(on database: Database, size: Int, bar: Int, isTight: Bool) {
    var result = Self.checkpoint("PASSIVE", on: database)
    let isCopied = result.map { $0.copied == $0.frames } ?? false
    if isTight, isCopied { result = Self.checkpoint("TRUNCATE", on: database) }
    let isHeld = size > 2 * bar && (!isTight || result?.busy != 0)
    state.withLock { state in
      state.phase = isHeld ? .holding : .idle
      // If the WAL cannot be reset, there is no point in trying before every write.
      state.pause = .now + .milliseconds(isHeld ? 0 : 50)
      state.holdEnds = .now + .seconds(1)
    }
    if isHeld { longReads.hold() } else if isTight, result?.busy == 0 { frames.store(0, ordering: .relaxed) }
  }

  private func restart(on database: Database, size: Int) {
    let result = Self.checkpoint("RESTART", on: database)
    longReads.goOn()
    let isHeld = result.map { $0.busy != 0 } ?? true
    if !isHeld { frames.store(0, ordering: .relaxed) }
    state.withLock { state in
      state.phase = .idle
      state.pause = .now + (isHeld ? .seconds(2) : .zero)
    }
    if isHeld { notice(.walIsHeld(bytes: size)) }
  }

  private static func checkpoint(_ mode: String, on database: Database) -> (busy: Int, frames: Int, copied: Int)? {
    // The writer waits for short reads, not for long ones.
    sqlite3_busy_timeout(database.sqliteConnection, 20)
    defer { sqlite3_busy_timeout(database.sqliteConnection, 2000) }
    return try? database.first("PRAGMA wal_checkpoint(\(mode))") { ($0[0] as Int, $0[1] as Int, $0[2] as Int) }
  }
}
