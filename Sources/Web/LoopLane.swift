import Base
import Chat
import EventLoop
import HTTP
import HTTPServer

/// An event loop as a lane of the core: the thread that a stream's subscriber is confined to.
package struct LoopLane: Lane {
  package let loop: EventLoop

  package init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Runs `work` on the loop, in the order of the calls.
  package func run(_ work: @escaping @Sendable () -> Void) {
    loop.execute(work)
  }

  /// Starts a task that prefers the loop.
  package func start(_ work: @escaping @Sendable () async -> Void) {
    Task(executorPreference: loop) { await work() }
  }

  /// Traps unless the caller is on the loop.
  package func assertCurrent() {
    loop.assertCurrent()
  }
}

/// Encodes the broker's events, once each for all readers.
package enum EventFrame {
  /// One event in the stream's format.
  package static func encode(id: EventID?, name: String, data: [UInt8]) -> SharedBytes {
    SharedBytes(EventStreamEncoding.event(name: name, id: id.map { String($0) }, data: data))
  }
}
