import Synchronization

/// Lets only so many long reads run at a time, so that connections stay free for the short ones on event loops, which
/// would otherwise block there until one is.
final class LongReads: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(atOnce count: Int) {
    state = Mutex(State(free: max(1, count)))
  }

  /// Waits for its turn, in the order of asking; each `enter` is followed by one `leave`.
  func enter() async {
    await withCheckedContinuation { continuation in
      let isNext = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isNext { continuation.resume() }
    }
  }

  /// Gives the turn to the one who has waited longest.
  func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
