import Synchronization

/// Values that are made once, when first asked for.
final class Kept<Value: Sendable>: Sendable {
  private let values = Mutex<[String: Value]>([:])

  /// The value of that name; `make` runs when there is none yet, perhaps twice.
  func value(_ name: String, make: () -> Value) -> Value {
    if let known = values.withLock({ $0[name] }) { return known }
    let made = make()
    values.withLock { $0[name] = made }
    return made
  }
}
