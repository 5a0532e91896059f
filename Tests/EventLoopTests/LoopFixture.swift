import EventLoop
import Glibc

/// A running loop for the time of `body`.
func withLoop<Result>(_ body: (EventLoop) async throws -> Result) async throws -> Result {
  let loop = try EventLoop(name: "test")
  loop.start()
  defer { loop.stop() }
  return try await body(loop)
}

extension EventLoop {
  /// Runs `work` on the loop and returns what it made.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      execute { continuation.resume(with: Result(catching: work)) }
    }
  }
}

/// Two connected stream sockets that do not block.
struct SocketPair: Sendable {
  let near: Int32
  let far: Int32

  init() {
    var descriptors: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let result = socketpair(AF_UNIX, kind, 0, &descriptors)
    precondition(result == 0, "socketpair failed")
    near = descriptors[0]
    far = descriptors[1]
  }

  func write(_ text: String) {
    let written = Glibc.write(far, text, text.utf8.count)
    precondition(written == text.utf8.count, "write failed")
  }

  func closeFar() { SystemCall.close(far) }
  func closeNear() { SystemCall.close(near) }

  func close() {
    closeNear()
    closeFar()
  }
}

/// What happened, from any thread, in order.
final class Record<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  func add(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  var all: [Element] { elements.withLock { $0 } }
}
