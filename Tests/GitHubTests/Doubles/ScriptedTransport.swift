import Outbound
import Synchronization
import Testing

@testable import GitHub

/// Answers by a script, and remembers what was asked. What is not in the script fails the test.
final class ScriptedTransport: Transport {
  typealias Script = @Sendable (TransportRequest) async throws(TransportFailure) -> TransportResponse

  private struct State {
    var requests: [TransportRequest] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var script: Script
  }

  private let state: Mutex<State>

  /// A transport that answers everything by `script`.
  init(_ script: @escaping Script) {
    state = Mutex(State(script: script))
  }

  /// A transport that answers with these, one after the other.
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

  /// What was asked so far.
  var requests: [TransportRequest] { state.withLock { $0.requests } }

  /// Answers by another script from now on.
  func follow(_ script: @escaping Script) { state.withLock { $0.script = script } }

  /// Returns once `count` requests have come.
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

/// What happened, in order.
final class Notes<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])
  var values: [Value] { state.withLock { $0 } }
  func add(_ value: Value) { state.withLock { $0.append(value) } }
}

/// A door that stays shut until a test opens it.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func passed() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Returns once `condition` holds; fails the test when it does not within ten minutes of the machine's time. It looks
/// now and then instead of all the time: URLSession's queues share their threads with all tests, and one that spins
/// keeps the very thing away that it waits for.
func eventually(_ condition: @Sendable () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(600)
  while try await !condition() {
    try #require(ContinuousClock.now < end, "it never happened")
    try await Task.sleep(for: .milliseconds(2))
  }
}
