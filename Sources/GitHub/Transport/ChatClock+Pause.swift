import Chat
import Synchronization

extension ChatClock {
  /// Waits until `time` has passed or the caller's task is cancelled.
  func pause(for time: Duration) async {
    let pause = Pause()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pause.begin(continuation, timer: after(time) { pause.end() })
      }
    } onCancel: {
      pause.end()
    }
  }
}

/// A waiter that is resumed by the timer or the cancellation, whichever comes first.
private final class Pause: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, Never>?
    var timer: (any ScheduledWork)?
    var isOver = false
  }

  private let state = Mutex(State())

  func begin(_ continuation: CheckedContinuation<Void, Never>, timer: any ScheduledWork) {
    let isOver = state.withLock { state in
      if state.isOver { return true }
      state.continuation = continuation
      state.timer = timer
      return false
    }
    if isOver {
      timer.cancel()
      continuation.resume()
    }
  }

  func end() {
    let (continuation, timer) = state.withLock { state in
      state.isOver = true
      defer { (state.continuation, state.timer) = (nil, nil) }
      return (state.continuation, state.timer)
    }
    timer?.cancel()
    continuation?.resume()
  }
}
