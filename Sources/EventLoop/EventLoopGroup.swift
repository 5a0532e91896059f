import CLinux
import Synchronization

/// Several loops, usually one per processor.
package final class EventLoopGroup: Sendable {
  package let loops: [EventLoop]
  private let turn = Atomic<Int>(0)

  /// The number of processors available to this process.
  package static var processors: Int { Int(clinux_usable_processors()) }

  /// Creates `count` loops; `start` runs them.
  package init(count: Int = EventLoopGroup.processors) throws(SystemError) {
    precondition(count > 0, "a group needs a loop")
    var loops: [EventLoop] = []
    for index in 0..<count { loops.append(try EventLoop(name: "loop-\(index)")) }
    self.loops = loops
  }

  /// Starts all loops.
  package func start() {
    for loop in loops { loop.start() }
  }

  /// Stops all loops, one after another (see `EventLoop.stop`).
  package func stop() {
    for loop in loops { loop.stop() }
  }

  /// The next loop, round-robin.
  package func next() -> EventLoop {
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[Int(UInt(bitPattern: number) % UInt(loops.count))]
  }
}
