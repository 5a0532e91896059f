import Dispatch
import GRDB

@testable import ChatTesting

/// Ends transactions as a test wants it: counts commits, holds the writer's thread before one, or lets one fail.
final class CommitGate: Sendable {
  /// Yields each time a commit is held.
  let held: AsyncStream<Void>
  let count = Box(0)
  let isClosed = Box(false)
  /// What the next commits throw.
  let failure = Box<DatabaseError?>(nil)
  /// Runs on the writer's thread before each commit.
  let before = Box<@Sendable (Int) -> Void>({ _ in })

  private let reports: AsyncStream<Void>.Continuation
  private let semaphore = DispatchSemaphore(value: 0)

  init() {
    (held, reports) = AsyncStream.makeStream()
  }

  func commit(_ database: Database) throws {
    let number = count.update {
      $0 += 1
      return $0
    }
    before.value(number)
    if isClosed.value {
      reports.yield()
      semaphore.wait()
    }
    if let failure = failure.value { throw failure }
    try database.commit()
  }

  /// Waits until a commit is held.
  func untilHeld() async {
    for await _ in held { return }
  }

  /// Lets the commit that is held go on, and all later ones.
  func open() {
    isClosed.value = false
    semaphore.signal()
  }
}
