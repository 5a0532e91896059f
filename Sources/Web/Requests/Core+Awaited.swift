import Chat
import HTTPServer

extension Core {
  /// Runs `work`, and cancels it when nobody waits for the result any more: the browser has closed the request, or the
  /// server stops. For work that waits for others, such as GitHub, and whose result is not needed otherwise.
  ///
  /// Rethrows errors of `work`, and throws `.unavailable` if it was cancelled. On the request's loop.
  func whileAwaited<Value: Sendable>(
    by request: Request, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(executorPreference: request.loop ?? lanes[0].loop) { try await work() }
    request.onInterruption { task.cancel() }
    do {
      return try await task.value
    } catch is CancellationError {
      throw ChatError.unavailable("The request was cancelled.")
    }
  }
}
