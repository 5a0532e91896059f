import Chat
import Foundation

/// Counts the reads under way, so that the database is closed only when the last of them is through: a connection that is
/// closed under a read, or just before it, takes the process with it.
///
/// `@unchecked`: `condition` protects the two fields below it.
final class OpenReads: @unchecked Sendable {
  private let condition = NSCondition()
  private var count = 0
  private var isClosed = false

  /// Before a read; each must be followed by `end`. Throws `.unavailable` once closed.
  func begin() throws(ChatError) {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { throw .unavailable("The store is closed.") }
    count += 1
  }

  /// After a read.
  func end() {
    condition.lock()
    count -= 1
    if isClosed && count == 0 { condition.broadcast() }
    condition.unlock()
  }

  /// Lets no more reads begin, and blocks until those under way have ended. Not to be called on an event loop.
  func close() {
    condition.lock()
    isClosed = true
    while count > 0 { condition.wait() }
    condition.unlock()
  }
}
