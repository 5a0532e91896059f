import Glibc
import Testing

@testable import EventLoop

@Suite("Event loop")
struct EventLoopTests {
  @Test("runs what one thread hands over in that thread's order, on its own thread")
  func order() async throws {
    try await withLoop { loop in
      let record = Record<Int>()
      for number in 0..<1000 {
        loop.execute {
          loop.assertCurrent()
          record.add(number)
        }
      }
      let isCurrentThere = try await loop.run { EventLoop.current === loop && loop.isCurrent }
      #expect(isCurrentThere)
      #expect(record.all == Array(0..<1000))
      #expect(!loop.isCurrent)
      #expect(EventLoop.current == nil)
    }
  }

  @Test("a task that prefers the loop runs there, also after it has waited for another executor")
  func taskExecutor() async throws {
    try await withLoop { loop in
      let task = Task(executorPreference: loop) {
        let before = loop.isCurrent
        let elsewhere = await Elsewhere().isOn(loop)
        await Task.yield()
        return (before, elsewhere, loop.isCurrent)
      }
      let (before, _, after) = await task.value
      #expect(before)
      #expect(after)
    }
  }

  @Test("an immediate task starts on the spot, and what it does before it waits is done when it is created")
  func immediateTask() async throws {
    try await withLoop { loop in
      let record = Record<String>()
      let task = try await loop.run {
        let task = Task.immediate(executorPreference: loop) {
          record.add("started")
          await withCheckedContinuation { continuation in
            loop.execute { continuation.resume() }
          }
          record.add(loop.isCurrent ? "resumed on the loop" : "resumed elsewhere")
        }
        record.add("created")
        return task
      }
      await task.value
      #expect(record.all == ["started", "created", "resumed on the loop"])
    }
  }

  @Test("stop runs everything that was handed over before, and what that hands over in turn")
  func stopDrains() throws {
    let loop = try EventLoop(name: "test")
    let record = Record<String>()
    loop.execute { record.add("before the start") }
    loop.start()
    loop.execute {
      loop.execute {
        record.add("nested")
        Task(executorPreference: loop) { record.add("task") }
        loop.atEndOfTurn { record.add("end of turn") }
      }
    }
    loop.stop()
    #expect(Set(record.all) == ["before the start", "nested", "task", "end of turn"])
    loop.stop()
  }

  @Test("work put off to the end of the turn comes after the turn's jobs")
  func endOfTurn() async throws {
    try await withLoop { loop in
      let record = Record<String>()
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        loop.execute {
          loop.atEndOfTurn {
            record.add("end")
            continuation.resume()
          }
          Task(executorPreference: loop) { record.add("job") }
        }
      }
      #expect(record.all == ["job", "end"])
    }
  }

  @Test("many items wake a sleeping loop once, and a busy one not at all")
  func oneWake() throws {
    let mailbox = try Mailbox()
    mailbox.put(.work {})
    #expect(wakes(of: mailbox) == 0, "nobody sleeps")
    var items: [Mailbox.Item] = []
    mailbox.empty(into: &items)
    #expect(items.count == 1)
    #expect(mailbox.fallAsleep())
    for _ in 0..<100 { mailbox.put(.work {}) }
    #expect(wakes(of: mailbox) == 1)
    #expect(!mailbox.fallAsleep(), "with work in the box the loop must not sleep")
  }

  private func wakes(of mailbox: Mailbox) -> Int {
    var value: UInt64 = 0
    let count = withUnsafeMutableBytes(of: &value) { read(mailbox.wakeDescriptor, $0.baseAddress, 8) }
    return count == 8 ? Int(value) : 0
  }

  @Test("the group hands its loops out in turn")
  func group() throws {
    let group = try EventLoopGroup(count: 3)
    let first = (0..<6).map { _ in ObjectIdentifier(group.next()) }
    #expect(Array(first[0..<3]) == group.loops.map { ObjectIdentifier($0) })
    #expect(first[0..<3] == first[3..<6])
    #expect(EventLoopGroup.processors >= 1)
    group.start()
    group.stop()
  }

  @Test("what belongs to a loop traps elsewhere")
  func foreignThread() async {
    await #expect(processExitsWith: .failure) {
      let loop = try EventLoop(name: "test")
      loop.start()
      loop.assertCurrent()
    }
  }

  @Test("signals arrive as events")
  func signals() async throws {
    try await withLoop { loop in
      let number = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
        loop.execute {
          SignalSource.block([SIGUSR1])
          do {
            let holder = Holder<SignalSource>()
            holder.value = try SignalSource([SIGUSR1], on: loop) { number in
              holder.value?.cancel()
              holder.value = nil
              continuation.resume(returning: number)
            }
            raise(SIGUSR1)
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
      #expect(number == SIGUSR1)
    }
  }
}

private actor Elsewhere {
  func isOn(_ loop: EventLoop) -> Bool { loop.isCurrent }
}

private final class Holder<Value> {
  var value: Value?
}
