import Chat
import HTTPServer

extension Core {
  /// What `work` gives, which is cancelled when nobody waits for it any more: the browser has closed the request, or the
  /// server ends. For work that waits for others, such as GitHub, and that nobody misses.
  ///
  /// Throws what `work` throws, and `.unavailable` where it was cancelled. On the request's loop.
  func whileAwaited<Value: Sendable>(
    by request: Request, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(executorPreference: request.loop ?? lanes[0].loop) { try await work() }
    request.onInterruption { task.cancel() }
    do {
      return try await task.value
    } catch is CancellationError {
      throw ChatError.unavailable("Nobody waits for this any more.")
    }
  }
}
