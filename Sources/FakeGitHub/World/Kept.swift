import Synchronization

/// A cache of values computed on first use.
final class Kept<Value: Sendable>: Sendable {
  private let values = Mutex<[String: Value]>([:])

  /// The value with this name. `make` runs if there is none yet; concurrent callers may both run it.
  func value(_ name: String, make: () -> Value) -> Value {
    if let known = values.withLock({ $0[name] }) { return known }
    let made = make()
    values.withLock { $0[name] = made }
    return made
  }
}
