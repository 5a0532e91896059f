import Synchronization

/// A value that closures share.
final class Box<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func update<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
