/// Responds to a request, synchronously if possible, else asynchronously.
///
/// A thrown error becomes a 500 (see `Application.answer(to:requestID:)`); the connection stays open.
package enum Responder: Sendable {
  /// Responds synchronously on the connection's loop; must not block or take long.
  case immediate(@Sendable (Request) throws -> Response)
  /// Runs as a task that prefers the connection's loop: starts there without a hop and returns there after every
  /// `await`. The connection's next request waits for the response.
  case suspending(@Sendable (Request) async throws -> Response)

  /// Answers `request` in whichever way this responder works.
  package func callAsFunction(_ request: Request) async throws -> Response {
    switch self {
    case .immediate(let respond): try respond(request)
    case .suspending(let respond): try await respond(request)
    }
  }
}
