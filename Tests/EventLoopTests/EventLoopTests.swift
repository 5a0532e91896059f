import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite("Event loop")
struct EventLoopTests {
  @Test("runs one thread's work in order, on the loop's thread")
  func order() async throws {
    try await withLoop { loop in
      let record = Box<[Int]>([])
      for number in 0..<1000 {
        loop.execute {
          loop.assertCurrent()
          record.append(number)
        }
      }
      let isCurrentThere = try await loop.run { EventLoop.current === loop && loop.isCurrent }
      #expect(isCurrentThere)
      #expect(record.value == Array(0..<1000))
      #expect(!loop.isCurrent)
      #expect(EventLoop.current == nil)
    }
  }

  @Test("a task that prefers the loop runs there, also after awaiting another executor")
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

  @Test("an immediate task runs synchronously until its first suspension")
  func immediateTask() async throws {
    try await withLoop { loop in
      let record = Box<[String]>([])
      let task = try await loop.run {
        let task = Task.immediate(executorPreference: loop) {
          record.append("started")
          await withCheckedContinuation { continuation in
            loop.execute { continuation.resume() }
          }
          record.append(loop.isCurrent ? "resumed on the loop" : "resumed elsewhere")
        }
        record.append("created")
        return task
      }
      await task.value
      #expect(record.value == ["started", "created", "resumed on the loop"])
    }
  }

  @Test("stop runs everything enqueued before, and what that enqueues in turn")
  func stopDrains() throws {
    let loop = try EventLoop(name: "test")
    let record = Box<[String]>([])
    loop.execute { record.append("before the start") }
    loop.start()
    loop.execute {
      loop.execute {
        record.append("nested")
        Task(executorPreference: loop) { record.append("task") }
        loop.atEndOfTurn { record.append("end of turn") }
      }
    }
    loop.stop()
    #expect(Set(record.value) == ["before the start", "nested", "task", "end of turn"])
    loop.stop()
  }

  @Test("work deferred to the end of the turn runs after the turn's jobs")
  func endOfTurn() async throws {
    try await withLoop { loop in
      let record = Box<[String]>([])
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        loop.execute {
          loop.atEndOfTurn {
            record.append("end")
            continuation.resume()
          }
          Task(executorPreference: loop) { record.append("job") }
        }
      }
      #expect(record.value == ["job", "end"])
    }
  }

  @Test("many items wake a waiting loop once, and a busy one not at all")
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

  @Test("the group returns its loops round-robin")
  func group() throws {
    let group = try EventLoopGroup(count: 3)
    let first = (0..<6).map { _ in ObjectIdentifier(group.next()) }
    #expect(Array(first[0..<3]) == group.loops.map { ObjectIdentifier($0) })
    #expect(first[0..<3] == first[3..<6])
    #expect(EventLoopGroup.processors >= 1)
    group.start()
    group.stop()
  }

  @Test("loop-owned methods trap on other threads")
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
