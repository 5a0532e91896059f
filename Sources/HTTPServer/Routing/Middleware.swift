import HTTP

/// Something done around many responders: before them, after them, or instead of them.
///
/// Wrapping happens once, when routes are registered; a request passes through the closures that it left.
public protocol Middleware: Sendable {
  /// A responder that does what `next` does and something more. `pattern` is the route's, for logs and exceptions.
  ///
  /// Keep an immediate responder immediate where that is possible: see `Responder.transformed` and `.guarded`.
  func wrap(_ next: Responder, pattern: String) -> Responder
}

extension Responder {
  /// This responder with each answer changed by `transform`, as immediate or suspending as before. Errors pass by.
  public func transformed(_ transform: @escaping @Sendable (Request, Response) throws -> Response) -> Responder {
    switch self {
    case .immediate(let respond): .immediate { try transform($0, respond($0)) }
    case .suspending(let respond): .suspending { try await transform($0, respond($0)) }
    }
  }

  /// This responder behind `check`, which may change the request, or throw to keep it away.
  public func guarded(_ check: @escaping @Sendable (Request) throws -> Request) -> Responder {
    switch self {
    case .immediate(let respond): .immediate { try respond(check($0)) }
    case .suspending(let respond): .suspending { try await respond(check($0)) }
    }
  }

  /// This responder with its errors turned into answers by `recover`, which may throw on what it does not know.
  public func recovering(_ recover: @escaping @Sendable (Request, any Error) throws -> Response) -> Responder {
    switch self {
    case .immediate(let respond):
      .immediate { request in
        do { return try respond(request) } catch { return try recover(request, error) }
      }
    case .suspending(let respond):
      .suspending { request in
        do { return try await respond(request) } catch { return try recover(request, error) }
      }
    }
  }
}
