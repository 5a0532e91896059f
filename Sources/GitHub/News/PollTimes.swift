import Chat
import Synchronization

/// When each poll may run again, in monotonic time, and the result of the last one. Bounded; for a feed that was
/// evicted, the store still knows when it was last polled.
final class PollTimes<Question: Hashable & Sendable>: Sendable {
  /// The state of one poll.
  struct Entry: Sendable {
    /// The earliest time of the next poll.
    var dueAt: Duration
    /// The last poll's failure, if any.
    var failure: GitHubError?
  }

  private let entries = Mutex<[Question: Entry]>([:])
  private let clock: any ChatClock
  private let capacity: Int

  /// Keeps at most `capacity` entries.
  init(capacity: Int = 1000, clock: any ChatClock) {
    self.capacity = capacity
    self.clock = clock
  }

  /// The poll's entry while it has to wait; nil when it may run.
  subscript(question: Question) -> Entry? {
    let now = clock.monotonic
    return entries.withLock { $0[question].flatMap { $0.dueAt > now ? $0 : nil } }
  }

  /// Whether it has run since the program started.
  func knows(_ question: Question) -> Bool { entries.withLock { $0[question] != nil } }

  /// Delays the next poll by `time`.
  func rest(_ question: Question, for time: Duration, after failure: GitHubError? = nil) {
    let entry = Entry(dueAt: clock.monotonic + time, failure: failure)
    entries.withLock { entries in
      entries[question] = entry
      if entries.count > capacity, let oldest = entries.min(by: { $0.value.dueAt < $1.value.dueAt })?.key {
        entries[oldest] = nil
      }
    }
  }
}
