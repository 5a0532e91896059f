import Base
import HTTP
import HTTPServer

/// If-Match and If-None-Match of methods that change something (RFC 9110 section 13): they are held against what GET
/// answers at the same address. Conditional requests for one address go one after the other, so that of two that name
/// the same state one is refused.
final class Preconditions: Sendable {
  private struct State {
    /// What answers GET, by pattern.
    var reads: [String: @Sendable (Visit) async throws -> Response] = [:]
    /// The addresses in use, each with who waits for it.
    var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  }

  private let state = Lock(State())

  /// Notes what answers GET at a pattern.
  func add(_ pattern: String, _ read: @escaping @Sendable (Visit) async throws -> Response) {
    state.withLock { $0.reads[pattern] = read }
  }

  /// Lets `respond` answer if the request's conditions hold, or if it has none; else answers 412.
  func check(
    _ visit: Visit, at pattern: String, _ respond: @Sendable (Visit) async throws -> Response
  ) async throws -> Response {
    let head = visit.request.head
    guard [.put, .patch, .delete].contains(head.method), head[.ifMatch] != nil || head[.ifNoneMatch] != nil else {
      return try await respond(visit)
    }
    await enter(head.path)
    defer { leave(head.path) }
    if let read = state.withLock({ $0.reads[pattern] }) {
      // Section 13.2.1: whoever would be refused anyway is told of that.
      if let current = try? await read(visit), current.status == .preconditionFailed { return current }
    } else if Conditions.evaluate(head, etag: nil) == .preconditionFailed {
      throw Problem.preconditionFailed
    }
    return try await respond(visit)
  }

  private func enter(_ path: String) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.waiting[path] != nil else {
          state.waiting[path] = []
          return true
        }
        state.waiting[path]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func leave(_ path: String) {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting[path]?.isEmpty == false else {
        state.waiting[path] = nil
        return nil
      }
      return state.waiting[path]?.removeFirst()
    }
    next?.resume()
  }
}
