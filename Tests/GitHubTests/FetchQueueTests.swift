import Synchronization
import Testing

@testable import GitHub

@Suite("The queue of fetches")
struct FetchQueueTests {
  private let clock = ManualClock()

  @Test("Equal fetches at the same moment are one, and all who wait get it")
  func coalesces() async throws {
    let queue = FetchQueue<String, Int>(limit: 2, clock: clock)
    let gate = Gate()
    let count = Atomic<Int>(0)
    let fetch: @Sendable () async -> Int = {
      await gate.passed()
      return count.wrappingAdd(1, ordering: .relaxed).newValue
    }
    // Immediate tasks have joined the queue when they return.
    let first = Task.immediate { try await queue.value(for: "a", fetch: fetch) }
    let second = Task.immediate { try await queue.value(for: "a", fetch: fetch) }
    gate.open()
    #expect(try await [first.value, second.value] == [1, 1])
    #expect(try await queue.value(for: "a", fetch: fetch) == 2)
  }

  @Test("D8 No more than the limit run at once; one whose last waiter went never starts, others keep their turn")
  func drops() async throws {
    let queue = FetchQueue<String, String>(limit: 1, clock: clock)
    let gate = Gate()
    let started = Notes<String>()
    @Sendable func ask(_ key: String) -> Task<String, any Error> {
      Task.immediate {
        try await queue.value(for: key) {
          started.add(key)
          await gate.passed()
          return key
        }
      }
    }
    let first = ask("first")
    try await eventually { started.values == ["first"] }
    let gone = ask("gone")
    let shared = [ask("shared"), ask("shared")]
    gone.cancel()
    shared[0].cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    await #expect(throws: CancellationError.self) { try await shared[0].value }
    gate.open()
    #expect(try await first.value == "first")
    #expect(try await shared[1].value == "shared")
    #expect(started.values == ["first", "shared"])
  }

  @Test("A fetch under way runs to its end though nobody waits for it any more")
  func runsOn() async throws {
    let queue = FetchQueue<String, Bool>(limit: 1, clock: clock)
    let gate = Gate()
    let wasCancelled = Mutex<Bool?>(nil)
    let task = Task.immediate {
      try await queue.value(for: "a") {
        await gate.passed()
        wasCancelled.withLock { $0 = Task.isCancelled }
        return true
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    try await eventually { wasCancelled.withLock { $0 != nil } }
    #expect(wasCancelled.withLock { $0 } == false)
  }

  @Test("A caller that is cancelled already does not join")
  func cancelledBefore() async throws {
    let queue = FetchQueue<String, Bool>(limit: 1, clock: clock)
    let gate = Gate()
    let hasStarted = Mutex(false)
    let task = Task.immediate {
      await gate.passed()
      return try await queue.value(for: "a") {
        hasStarted.withLock { $0 = true }
        return true
      }
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!hasStarted.withLock { $0 })
  }

  @Test("Starts keep their distance by the clock")
  func spacing() async throws {
    let queue = FetchQueue<Int, Int>(limit: 1, spacing: .seconds(2), clock: clock)
    let started = Notes<Int>()
    @Sendable func ask(_ key: Int) -> Task<Int, any Error> {
      Task.immediate {
        try await queue.value(for: key) {
          started.add(key)
          return key
        }
      }
    }
    #expect(try await ask(1).value == 1)
    let second = ask(2)
    let third = ask(3)
    #expect(clock.waitingCount == 1)
    clock.advance(seconds: 1)
    #expect(started.values == [1])
    clock.advance(seconds: 1)
    #expect(try await second.value == 2)
    try await eventually { clock.waitingCount == 1 }
    #expect(started.values == [1, 2])
    clock.advance(seconds: 2)
    #expect(try await third.value == 3)
  }
}
