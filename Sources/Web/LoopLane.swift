import Chat
import EventLoop
import HTTP
import HTTPServer

/// An event loop as the core sees it: the thread on which a stream's subscriber lives.
public struct LoopLane: Lane {
  /// The loop.
  public let loop: EventLoop

  /// The lane of a loop.
  public init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Runs `work` on the loop, after all that was given to it before.
  public func run(_ work: @escaping @Sendable () -> Void) {
    loop.execute(work)
  }

  /// Traps when the caller is not on the loop.
  public func assertCurrent() {
    loop.assertCurrent()
  }
}

/// How the broker's events become bytes: once each, shared by all readers.
public enum EventFrame {
  /// The text of one event of a stream.
  public static func encode(id: EventID?, name: String, data: [UInt8]) -> SharedBytes {
    SharedBytes(EventStreamEncoding.event(name: name, id: id.map { String($0) }, data: data))
  }
}
