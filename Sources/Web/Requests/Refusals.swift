import Chat
import HTTPServer

/// Slows down clients that go on after a 429: after some refusals answered at once, each further one waits, so that a
/// flood occupies its sender's connections and not the server.
struct Refusals: Sendable {
  /// Counts the refusals; nil disables the pauses.
  let allowances: Allowances?

  /// Runs a responder for the person or address `client`. Pauses before it rethrows a refusal that is one too many; a
  /// client that hangs up, and a server that stops, end the pause. GitHub's limit is no refusal of the person.
  ///
  /// On the request's loop.
  func slow<Value: Sendable>(
    _ client: String, _ request: Request, _ respond: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await respond()
    } catch {
      if let allowances, Problem(error, now: allowances.clock.now)?.name == .rateLimited,
        !allowances.isRefusedAtOnce(client)
      {
        await pause(before: request, allowances.clock)
      }
      throw error
    }
  }

  /// Holds nothing but the request's task and a timer.
  private func pause(before request: Request, _ clock: any ChatClock) async {
    let (over, waiting) = AsyncStream.makeStream(of: Void.self)
    let timer = clock.after(Allowances.refusalPause) { waiting.finish() }
    request.onInterruption { waiting.finish() }
    for await _ in over {}
    timer.cancel()
  }
}
