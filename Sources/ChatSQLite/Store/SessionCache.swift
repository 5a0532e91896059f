import Chat
import Synchronization

/// The sessions that were asked for lately: every request brings one, and to read it from the database is a quarter of
/// the price of a send. The writer forgets all of them with each commit that changed or ended one, before anybody is told
/// of that commit, so what is found here is as true as the database. Callable from any thread.
final class SessionCache: Sendable {
  /// How many are kept; beyond, all are forgotten.
  private static let limit = 10_000

  private struct Kept {
    var sessions: [[UInt8]: Session] = [:]
    var generation: UInt64 = 0
  }

  private let kept = Mutex(Kept())

  /// The session with this hash, if it is known and still valid at `time`; else what `read` finds, which is kept unless
  /// sessions changed meanwhile.
  func session(
    secretHash: [UInt8], at time: Timestamp, read: () throws -> Session?
  ) rethrows -> Session? {
    let (known, generation) = kept.withLock { ($0.sessions[secretHash], $0.generation) }
    if let known, known.expiresAt >= time { return known }
    guard let session = try read() else { return nil }
    kept.withLock { kept in
      guard kept.generation == generation else { return }
      if kept.sessions.count >= Self.limit { kept.sessions = [:] }
      kept.sessions[secretHash] = session
    }
    return session
  }

  /// Sessions have changed on the disk.
  func forgetAll() {
    kept.withLock { kept in
      kept.sessions = [:]
      kept.generation += 1
    }
  }
}
