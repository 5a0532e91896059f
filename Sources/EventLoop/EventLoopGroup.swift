import CLinux
import Synchronization

/// Several loops, as a rule one for each processor.
public final class EventLoopGroup: Sendable {
  /// The loops.
  public let loops: [EventLoop]
  private let turn = Atomic<Int>(0)

  /// The number of processors that this process may use.
  public static var processors: Int { Int(clinux_usable_processors()) }

  /// Creates `count` loops that do not run yet.
  public init(count: Int = EventLoopGroup.processors) throws(SystemError) {
    precondition(count > 0, "a group needs a loop")
    var loops: [EventLoop] = []
    for index in 0..<count { loops.append(try EventLoop(name: "loop-\(index)")) }
    self.loops = loops
  }

  /// Starts all loops.
  public func start() {
    for loop in loops { loop.start() }
  }

  /// Stops all loops, one after another (see `EventLoop.stop`).
  public func stop() {
    for loop in loops { loop.stop() }
  }

  /// The loops in turn, for work that may be done on any of them.
  public func next() -> EventLoop {
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[Int(UInt(bitPattern: number) % UInt(loops.count))]
  }
}
