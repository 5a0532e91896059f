import Synchronization

/// Asynchronous callers wait here until the test opens the gate.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How many callers have arrived so far.
  package var arrivals: Int { state.withLock { $0.arrivals } }

  /// Waits for `open`.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, observers) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(continuation) }
        defer { state.observers = [] }
        return (state.isOpen, state.observers)
      }
      for observer in observers { observer.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets all callers through, now and later.
  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the first caller has arrived.
  package func arrival() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.arrivals == 0 { state.observers.append(continuation) }
        return state.arrivals > 0
      }
      if hasArrived { continuation.resume() }
    }
  }
}
