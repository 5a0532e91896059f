import Chat
import Synchronization

/// When each feed may be asked for again, by the clock that never jumps, and what became of the last question. For a
/// bounded number of feeds: of one that is forgotten, the store knows when it was asked for.
final class PollTimes: Sendable {
  /// What is remembered of a feed.
  struct Entry: Sendable {
    /// Not before this.
    var dueAt: Duration
    /// Why the last question was not answered, until the next one.
    var failure: GitHubError?
  }

  private let entries = Mutex<[Int64: Entry]>([:])
  private let clock: any ChatClock
  private let capacity: Int

  /// A memory for at most `capacity` feeds.
  init(capacity: Int = 1000, clock: any ChatClock) {
    self.capacity = capacity
    self.clock = clock
  }

  /// What is remembered of a feed while it may not be asked for; nil once it may.
  subscript(owner: Int64) -> Entry? {
    let now = clock.monotonic
    return entries.withLock { $0[owner].flatMap { $0.dueAt > now ? $0 : nil } }
  }

  /// Whether the feed was asked for since the program started.
  func knows(_ owner: Int64) -> Bool { entries.withLock { $0[owner] != nil } }

  /// Lets the feed rest.
  func rest(_ owner: Int64, for time: Duration, after failure: GitHubError? = nil) {
    let entry = Entry(dueAt: clock.monotonic + time, failure: failure)
    entries.withLock { entries in
      entries[owner] = entry
      if entries.count > capacity, let oldest = entries.min(by: { $0.value.dueAt < $1.value.dueAt })?.key {
        entries[oldest] = nil
      }
    }
  }
}
