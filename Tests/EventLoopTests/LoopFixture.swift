import EventLoop
import Glibc

/// Runs `body` with a running loop.
func withLoop<Result>(_ body: (EventLoop) async throws -> Result) async throws -> Result {
  let loop = try EventLoop(name: "test")
  loop.start()
  defer { loop.stop() }
  return try await body(loop)
}

extension EventLoop {
  /// Runs `work` on the loop and returns its result.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      execute { continuation.resume(with: Result(catching: work)) }
    }
  }
}

/// Two connected non-blocking stream sockets.
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

  /// Ends the far side. Shuts it down first, because an exit test being forked briefly holds copies of all descriptors,
  /// so closing alone would have no effect yet.
  func closeFar() {
    shutdown(far, Int32(SHUT_RDWR))
    SystemCall.close(far)
  }

  func closeNear() { SystemCall.close(near) }

  func close() {
    closeNear()
    closeFar()
  }
}
