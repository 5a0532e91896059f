/// Makes the answer to a request: synchronously where it can, asynchronously where it must.
///
/// An error that a responder throws becomes a 500 (see `Application.answer(to:requestID:)`); the connection lives on.
public enum Responder: Sendable {
  /// Answers on the spot, on the connection's loop: it must neither block nor take long.
  case immediate(@Sendable (Request) throws -> Response)
  /// Runs as a task that prefers the connection's loop: it starts there without a hop and comes back there after
  /// every `await`. The connection's next request waits until this one is answered.
  case suspending(@Sendable (Request) async throws -> Response)

  /// Answers `request` in whichever way this responder works.
  public func callAsFunction(_ request: Request) async throws -> Response {
    switch self {
    case .immediate(let respond): try respond(request)
    case .suspending(let respond): try await respond(request)
    }
  }
}
