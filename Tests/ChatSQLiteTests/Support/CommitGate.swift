import Dispatch
import GRDB
import TestSupport

@testable import ChatTesting

/// Controls commits for a test: counts them, blocks the writer's thread before one, or makes one fail.
final class CommitGate: Sendable {
  /// Yields each time a commit is held.
  let held: AsyncStream<Void>
  let count = Box(0)
  let isClosed = Box(false)
  /// Whether the writer is held once a commit is on disk.
  let isClosedBehind = Box(false)
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
    if isClosed.value { hold() }
    if let failure = failure.value { throw failure }
    try database.commit()
    if isClosedBehind.value { hold() }
  }

  private func hold() {
    reports.yield()
    semaphore.wait()
  }

  /// Waits until a commit is held.
  func untilHeld() async {
    for await _ in held { return }
  }

  /// Releases the commit that is held and all later ones.
  func open() {
    isClosed.value = false
    isClosedBehind.value = false
    semaphore.signal()
  }
}
