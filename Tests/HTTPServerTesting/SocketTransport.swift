import Base
import EventLoop
import Glibc

/// The test client's connections, each on a thread of its own that may block; loops' threads and Swift's few threads
/// may not.
struct SocketTransport: Sendable {
  let host: String
  let port: Int
  let timeoutSeconds: Int

  /// Sends `bytes` on a new connection and returns all that is received until it closes.
  func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
    let received = AsyncThrowingStream<[UInt8], any Error> { continuation in run(bytes, continuation) }
    var all: [UInt8] = []
    for try await part in received { all += part }
    return all
  }

  /// Sends `bytes` on a new connection and yields what is received. Dropping the stream closes the connection.
  func open(_ bytes: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { continuation in run(bytes, continuation) }
  }

  private func run(_ bytes: [UInt8], _ continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
    let socket: Int32
    do {
      socket = try SystemCall.connect(to: SocketAddress(host: host, port: port), timeoutSeconds: timeoutSeconds)
    } catch {
      continuation.finish(throwing: error)
      return
    }
    // The thread owns the socket. The consumer only shuts the connection down, which wakes the thread.
    let isOpen = Lock(true)
    continuation.onTermination = { _ in isOpen.withLock { if $0 { SystemCall.endBoth(socket) } } }
    BlockingThread.run {
      do {
        try SystemCall.sendAll(socket, bytes)
        while let part = try SystemCall.receiveBlocking(socket, atMost: 64 * 1024) { continuation.yield(part) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
      isOpen.withLock { isOpen in
        isOpen = false
        SystemCall.close(socket)
      }
    }
  }
}

/// A thread for one blocking operation.
private enum BlockingThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let result = pthread_create(
      &thread, nil,
      { argument in
        // Never nil: it is the `work` passed below.
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    precondition(result == 0, "pthread_create failed with \(result)")
    pthread_detach(thread)
  }
}
