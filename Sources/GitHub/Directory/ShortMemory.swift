import Chat
import Synchronization

/// A bounded in-memory cache whose entries expire; when full, the oldest are evicted. Safe from any thread.
final class ShortMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var values: [Key: (value: Value, until: Duration)] = [:]
    var order: [Key] = []
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let clock: any ChatClock

  /// A cache of at most `capacity` values.
  init(capacity: Int, clock: any ChatClock) {
    self.capacity = capacity
    self.clock = clock
  }

  /// The value for `key`, or nil if it is missing or has expired.
  subscript(key: Key) -> Value? {
    let now = clock.monotonic
    return state.withLock { $0.values[key].flatMap { $0.until > now ? $0.value : nil } }
  }

  /// Removes the value for `key`.
  func forget(_ key: Key) {
    state.withLock { state in
      if state.values.removeValue(forKey: key) != nil { state.order.removeAll { $0 == key } }
    }
  }

  /// Stores `value` for `key`, replacing any earlier one, until `time` has passed.
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
