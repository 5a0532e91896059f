import Chat
import Dispatch
import TestSupport
import Testing

@testable import ChatSQLite

@Suite("Long reads", .shows("control 6"))
struct LongReadsTests {
  @Test(
    "Nobody gets more than half of the threads, and nobody else's read waits for theirs",
    .shows("control 6"))
  func turns() async throws {
    let reads = LongReads(atOnce: 4)
    let (eve, ada) = (UserID(at: Timestamp(milliseconds: 1)), UserID(at: Timestamp(milliseconds: 2)))
    let started = AsyncStream<Void>.makeStream()
    let door = DispatchSemaphore(value: 0)
    let many = (0..<10).map { _ in
      Asker.$current.withValue(eve) {
        Task {
          try await reads.run {
            started.continuation.yield()
            door.wait()
          }
        }
      }
    }
    var running = started.stream.makeAsyncIterator()
    for _ in 0..<2 { await running.next() }
    let answers = try await Asker.$current.withValue(ada) {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 { group.addTask { try await reads.run { number } } }
        return try await group.reduce(0, +)
      }
    }
    #expect(answers == 190)
    for _ in many { door.signal() }
    for task in many { try await task.value }
  }
}
