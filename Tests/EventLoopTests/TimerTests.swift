import TestSupport
import Testing

@testable import EventLoop

@Suite("Timers")
struct TimerTests {
  @Test("fire in the order of their deadlines; cancelled ones never fire")
  func order() async throws {
    try await withLoop { loop in
      let record = Box<[Int]>([])
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        loop.execute {
          for delay in [5, 1, 4, 2, 3] {
            loop.after(.milliseconds(delay)) {
              record.append(delay)
              if delay == 5 { continuation.resume() }
            }
          }
          loop.after(.milliseconds(2)) { record.append(-1) }.cancel()
        }
      }
      #expect(record.value == [1, 2, 3, 4, 5])
    }
  }

  @Test("never fire early")
  func notEarly() async throws {
    try await withLoop { loop in
      let (due, fired) = await withCheckedContinuation { continuation in
        loop.execute {
          let due = loop.now + .microseconds(1500)
          loop.at(due) { continuation.resume(returning: (due, MonotonicTime.now())) }
        }
      }
      #expect(fired >= due)
    }
  }

  @Test("cancelling releases the captures at once")
  func releases() async throws {
    try await withLoop { loop in
      let isGone = try await loop.run {
        var captured: Token? = Token()
        weak let observed = captured
        let timer = loop.after(.seconds(3600)) { [captured] in _ = captured }
        captured = nil
        let wasThere = observed != nil
        timer.cancel()
        timer.cancel()
        return wasThere && observed == nil && !timer.isPending && loop.timers.count == 0
      }
      #expect(isGone)
    }
  }

  @Test("the heap agrees with a sorted list over random insertions and removals")
  func heap() async throws {
    try await withLoop { loop in
      let agrees = try await loop.run {
        var random = SeededRandom(seed: 42)
        var heap = TimerHeap()
        var expected: [EventLoop.Timer] = []
        for _ in 0..<2000 {
          if expected.isEmpty || random.next() % 3 != 0 {
            let deadline = MonotonicTime(nanoseconds: Int64(random.next() % 500))
            let timer = EventLoop.Timer(deadline: deadline, loop: loop) {}
            heap.insert(timer)
            expected.append(timer)
          } else {
            heap.remove(expected.remove(at: Int(random.next() % UInt64(expected.count))))
          }
          guard heap.count == expected.count, heap.earliest == expected.map(\.deadline).min() else { return false }
        }
        var last = MonotonicTime(nanoseconds: .min)
        while let timer = heap.popDue(at: MonotonicTime(nanoseconds: .max)) {
          guard timer.deadline >= last else { return false }
          last = timer.deadline
        }
        return heap.count == 0
      }
      #expect(agrees)
    }
  }

  @Test("times add up without overflow")
  func arithmetic() {
    let time = MonotonicTime(nanoseconds: 5)
    #expect(time + .seconds(2) == MonotonicTime(nanoseconds: 2_000_000_005))
    #expect(time + .nanoseconds(-3) == MonotonicTime(nanoseconds: 2))
    #expect((time + .milliseconds(1)) - time == .milliseconds(1))
    #expect(time + .seconds(Int64.max) == MonotonicTime(nanoseconds: .max))
    #expect(time + .seconds(Int64.max / 1_000_000_000) == MonotonicTime(nanoseconds: 9_223_372_036_000_000_005))
    #expect(MonotonicTime(nanoseconds: .max) + .nanoseconds(1) == MonotonicTime(nanoseconds: .max))
  }
}

private final class Token {}
