import HTTP

/// Wraps responders, to act before, after or instead of them.
///
/// Wrapping happens once, when routes are registered; requests only run the resulting closures.
package protocol Middleware: Sendable {
  /// Returns a responder around `next`. `pattern` is the route's, for logs and exceptions.
  ///
  /// Keep immediate responders immediate if possible: see `Responder.transformed`.
  func wrap(_ next: Responder, pattern: String) -> Responder
}

extension Responder {
  /// This responder with `transform` applied to each response; stays immediate or suspending. Errors pass through.
  package func transformed(_ transform: @escaping @Sendable (Request, Response) throws -> Response) -> Responder {
    switch self {
    case .immediate(let respond): .immediate { try transform($0, respond($0)) }
    case .suspending(let respond): .suspending { try await transform($0, respond($0)) }
    }
  }
}
