import Chat
import Synchronization

/// Keeps values for a while in memory, a bounded number of them; the oldest leave first.
final class ShortMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var values: [Key: (value: Value, until: Duration)] = [:]
    var order: [Key] = []
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let clock: any ChatClock

  /// A memory for at most `capacity` values.
  init(capacity: Int, clock: any ChatClock) {
    self.capacity = capacity
    self.clock = clock
  }

  /// The value kept for `key`, or nil once its time is over.
  subscript(key: Key) -> Value? {
    let now = clock.monotonic
    return state.withLock { $0.values[key].flatMap { $0.until > now ? $0.value : nil } }
  }

  /// Forgets what is kept for `key`.
  func forget(_ key: Key) {
    state.withLock { state in
      if state.values.removeValue(forKey: key) != nil { state.order.removeAll { $0 == key } }
    }
  }

  /// Keeps `value` for `key`, instead of what was there.
  func keep(_ value: Value, for key: Key, during time: Duration) {
    let until = clock.monotonic + time
    state.withLock { state in
      if state.values[key] != nil { state.order.removeAll { $0 == key } }
      state.order.append(key)
      state.values[key] = (value, until)
      if state.order.count > capacity { state.values[state.order.removeFirst()] = nil }
    }
  }
}
