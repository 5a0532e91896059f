import Chat
import Foundation
import GRDB
import Synchronization

/// The connections for reading. GRDB's own pool checks the schema version before each read and passes through three
/// queues, which costs more than most reads here; this schema changes only while the store opens.
final class Readers: @unchecked Sendable {  // `condition` protects the mutable fields
  private let path: String
  private let configuration: Configuration
  private let condition = NSCondition()
  /// A stack: the connection returned last has the warmest cache and is used next.
  private var idle: [DatabaseQueue] = []
  private var count = 0
  private var isClosed = false

  /// Connections to the pool's database, up to its configured maximum, created on demand.
  init(of pool: DatabasePool) {
    path = pool.path
    var configuration = pool.configuration
    configuration.readonly = true
    self.configuration = configuration
  }

  /// Reads on the caller's thread, which blocks while all connections are in use. Throws `.unavailable` once closed.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let connection = try take()
    defer { giveBack(connection) }
    return try connection.unsafeRead(body)
  }

  private func take() throws -> DatabaseQueue {
    condition.lock()
    defer { condition.unlock() }
    while true {
      guard !isClosed else { throw ChatError.unavailable("The store is closed.") }
      if let connection = idle.popLast() { return connection }
      if count < configuration.maximumReaderCount { break }
      condition.wait()
    }
    let connection = try DatabaseQueue(path: path, configuration: configuration)
    count += 1
    return connection
  }

  private func giveBack(_ connection: DatabaseQueue) {
    condition.lock()
    idle.append(connection)
    condition.broadcast()
    condition.unlock()
  }

  /// Rejects new reads, blocks until the current ones have ended, and closes the connections. Must not be called on an
  /// event loop.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while idle.count < count { condition.wait() }
    for connection in idle { try? connection.close() }
    idle = []
    count = 0
  }
}

/// Threads for reads that would block an event loop. There are few, so that connections stay free for the short reads
/// on the loops, which would otherwise block until one is.
///
/// GRDB's own asynchronous reads are unsuitable: they return their connection only after the caller's executor has
/// resumed the task. If that executor itself waits for a connection, or for the last one to return at the end, that is
/// a deadlock. Here a connection is taken and returned on the same thread, which waits for nobody.
///
/// Readers take turns, and nobody gets more than half of the threads: a person with many reads waits only for
/// themselves.
final class LongReads: Sendable {
  private typealias Read = @Sendable () -> Void

  private struct State {
    var idle: Int
    /// Whether new reads are held back until `goOn`.
    var isHeld = false
    /// How many reads are under way, by person; nil is nobody in particular. Nobody without any is kept.
    var running: [UserID?: Int] = [:]
    var waiting = FairQueue<UserID?, Read>(limit: .max)
  }

  private let queue = DispatchQueue(label: "hubbub-reads", attributes: .concurrent)
  private let count: Int
  private let mostOfOne: Int
  private let state: Mutex<State>

  /// Allows `count` reads at once; others wait.
  init(atOnce count: Int) {
    let count = max(1, count)
    self.count = count
    mostOfOne = (count + 1) / 2
    state = Mutex(State(idle: count))
  }

  /// Holds new reads back until `goOn`; running ones continue.
  func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Allows new reads again.
  func goOn() {
    state.withLock { $0.isHeld = false }
    for _ in 0..<count { startNext() }
  }

  /// Whether no read is running.
  var areAtRest: Bool { state.withLock { $0.running.isEmpty } }

  /// Runs `read` on one of the threads when it is the turn of the task's person; the caller suspends.
  func run<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async throws -> Value {
    let person = Asker.current
    return try await withCheckedThrowingContinuation { continuation in
      state.withLock { _ = $0.waiting.append({ continuation.resume(with: Result { try read() }) }, of: person) }
      startNext()
    }
  }

  /// Starts the next read, if a thread is free.
  private func startNext() {
    let next = state.withLock { state -> (client: UserID?, element: Read)? in
      guard state.idle > 0, !state.isHeld else { return nil }
      // Reads that belong to no person are not subject to the share.
      let next = state.waiting.next { $0 != nil && state.running[$0, default: 0] >= mostOfOne }
      guard let next else { return nil }
      state.idle -= 1
      state.running[next.client, default: 0] += 1
      return next
    }
    guard let next else { return }
    queue.async {
      next.element()
      self.state.withLock { state in
        state.idle += 1
        let left = state.running[next.client, default: 1] - 1
        state.running[next.client] = left > 0 ? left : nil
      }
      self.startNext()
    }
  }
}
