import Foundation

/// The threads for reads that would hold an event loop up; few, so that connections stay free for the short reads on the
/// loops, which would otherwise block there until one is.
///
/// Not GRDB's own asynchronous reads: those give their connection back only once the caller's executor has resumed the
/// task. Where that executor waits for a connection itself, or for the last one to come back at the end, neither moves
/// again. Here a connection is taken and given back on one thread, which waits for nobody.
final class LongReads: Sendable {
  private let queue = OperationQueue()

  /// `count` reads at once; the others wait in line.
  init(atOnce count: Int) {
    queue.name = "hubbub-reads"
    queue.maxConcurrentOperationCount = max(1, count)
  }

  /// Runs `read` on one of the threads; the caller suspends.
  func run<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result { try read() }) }
    }
  }
}
