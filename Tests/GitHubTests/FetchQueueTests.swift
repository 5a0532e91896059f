import ChatTesting
import Synchronization
import TestSupport
import Testing

@testable import GitHub

@Suite("The fetch queue")
struct FetchQueueTests {
  private let clock = ManualClock()

  @Test("Concurrent fetches of the same key are merged, and every waiter gets the result")
  func coalesces() async throws {
    let queue = FetchQueue<String, Int>(limit: 2, clock: clock)
    let gate = Gate()
    let count = Atomic<Int>(0)
    let fetch: @Sendable () async -> Int = {
      await gate.pass()
      return count.wrappingAdd(1, ordering: .relaxed).newValue
    }
    // Immediate tasks have joined the queue when they return.
    let first = Task.immediate { try await queue.value(for: "a", fetch: fetch) }
    let second = Task.immediate { try await queue.value(for: "a", fetch: fetch) }
    gate.open()
    #expect(try await [first.value, second.value] == [1, 1])
    #expect(try await queue.value(for: "a", fetch: fetch) == 2)
  }

  @Test(
    "At most the limit run at once; a fetch without waiters never starts, others keep their place", .shows("D8"))
  func drops() async throws {
    let queue = FetchQueue<String, String>(limit: 1, clock: clock)
    let gate = Gate()
    let started = Box<[String]>([])
    @Sendable func ask(_ key: String) -> Task<String, any Error> {
      Task.immediate {
        try await queue.value(for: key) {
          started.append(key)
          await gate.pass()
          return key
        }
      }
    }
    let first = ask("first")
    try await eventually { started.value == ["first"] }
    let gone = ask("gone")
    let shared = [ask("shared"), ask("shared")]
    gone.cancel()
    shared[0].cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    await #expect(throws: CancellationError.self) { try await shared[0].value }
    gate.open()
    #expect(try await first.value == "first")
    #expect(try await shared[1].value == "shared")
    #expect(started.value == ["first", "shared"])
  }

  @Test("A running fetch is cancelled with its last waiter, and not before; a later one for its key is separate")
  func cancels() async throws {
    let queue = FetchQueue<String, String>(limit: 2, clock: clock)
    let gate = Gate()
    let notes = Box<[String]>([])
    @Sendable func ask(_ name: String) -> Task<String, any Error> {
      Task.immediate {
        try await queue.value(for: "a") {
          notes.update { $0.append("\(name) started") }
          await gate.pass()
          notes.update { $0.append("\(name) \(Task.isCancelled ? "was cancelled" : "ended")") }
          return name
        }
      }
    }
    let waiters = [ask("first"), ask("first")]
    try await eventually { notes.value == ["first started"] }
    for waiter in waiters { waiter.cancel() }
    for waiter in waiters { await #expect(throws: CancellationError.self) { try await waiter.value } }
    let second = ask("second")
    try await eventually { notes.value.count == 2 }
    gate.open()
    #expect(try await second.value == "second")
    try await eventually { notes.value.count == 4 }
    #expect(Set(notes.value) == ["first started", "first was cancelled", "second started", "second ended"])
  }

  @Test("A fetch continues as long as one of its waiters is left")
  func goesOn() async throws {
    let queue = FetchQueue<String, Bool>(limit: 1, clock: clock)
    let gate = Gate()
    let fetch: @Sendable () async -> Bool = {
      await gate.pass()
      return Task.isCancelled
    }
    let gone = Task.immediate { try await queue.value(for: "a", fetch: fetch) }
    let left = Task.immediate { try await queue.value(for: "a", fetch: fetch) }
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    gate.open()
    #expect(try await left.value == false)
  }

  @Test("A caller that is cancelled already does not join")
  func cancelledBefore() async throws {
    let queue = FetchQueue<String, Bool>(limit: 1, clock: clock)
    let gate = Gate()
    let hasStarted = Mutex(false)
    let task = Task.immediate {
      await gate.pass()
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

  @Test("Starts are spaced apart by the clock")
  func spacing() async throws {
    let queue = FetchQueue<Int, Int>(limit: 1, spacing: .seconds(2), clock: clock)
    let started = Box<[Int]>([])
    @Sendable func ask(_ key: Int) -> Task<Int, any Error> {
      Task.immediate {
        try await queue.value(for: key) {
          started.append(key)
          return key
        }
      }
    }
    #expect(try await ask(1).value == 1)
    let second = ask(2)
    let third = ask(3)
    #expect(clock.waiting == 1)
    clock.advance(by: .seconds(1))
    #expect(started.value == [1])
    clock.advance(by: .seconds(1))
    #expect(try await second.value == 2)
    try await eventually { clock.waiting == 1 }
    #expect(started.value == [1, 2])
    clock.advance(by: .seconds(2))
    #expect(try await third.value == 3)
  }
}
