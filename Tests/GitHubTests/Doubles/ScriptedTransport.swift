import Outbound
import Synchronization
import TestSupport
import Testing

@testable import GitHub

/// Responds by a script and records requests. A request that the script does not expect fails the test.
final class ScriptedTransport: Transport {
  typealias Script = @Sendable (TransportRequest) async throws(TransportFailure) -> TransportResponse

  private struct State {
    var requests: [TransportRequest] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var script: Script
  }

  private let state: Mutex<State>

  /// A transport that responds to everything by `script`.
  init(_ script: @escaping Script) {
    state = Mutex(State(script: script))
  }

  /// A transport with these responses, in order.
  convenience init(_ answers: [TransportResponse]) {
    let rest = Mutex(answers[...])
    self.init { (request) throws(TransportFailure) in
      guard let answer = rest.withLock({ $0.popFirst() }) else {
        Issue.record("not in the script: \(request.address.text)")
        throw .unreachable("not in the script")
      }
      return answer
    }
  }

  /// The requests so far.
  var requests: [TransportRequest] { state.withLock { $0.requests } }

  /// Uses another script from now on.
  func follow(_ script: @escaping Script) { state.withLock { $0.script = script } }

  /// Returns once there have been `count` requests.
  func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
    let (script, due) = state.withLock { state in
      state.requests.append(request)
      let due = state.waiters.filter { $0.count <= state.requests.count }
      state.waiters.removeAll { $0.count <= state.requests.count }
      return (state.script, due)
    }
    for waiter in due { waiter.continuation.resume() }
    return try await script(request)
  }
}
