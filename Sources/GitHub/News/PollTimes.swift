import Chat
import Synchronization

/// When each question may be asked again, by the clock that never jumps, and what became of it the last time. For a bounded
/// number of questions: of a feed that is forgotten, the store knows when it was asked for.
final class PollTimes<Question: Hashable & Sendable>: Sendable {
  /// What is remembered of a question.
  struct Entry: Sendable {
    /// Not before this.
    var dueAt: Duration
    /// Why the last question was not answered, until the next one.
    var failure: GitHubError?
  }

  private let entries = Mutex<[Question: Entry]>([:])
  private let clock: any ChatClock
  private let capacity: Int

  /// A memory for at most `capacity` questions.
  init(capacity: Int = 1000, clock: any ChatClock) {
    self.capacity = capacity
    self.clock = clock
  }

  /// What is remembered of a question while it may not be asked; nil once it may.
  subscript(question: Question) -> Entry? {
    let now = clock.monotonic
    return entries.withLock { $0[question].flatMap { $0.dueAt > now ? $0 : nil } }
  }

  /// Whether it was asked since the program started.
  func knows(_ question: Question) -> Bool { entries.withLock { $0[question] != nil } }

  /// Lets the question rest.
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
