import Synchronization

/// A value shared between a test and the closures it hands out.
package final class Box<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  package init(_ value: Value) { state = Mutex(value) }

  package var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  @discardableResult
  package func update<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}

extension Box {
  package convenience init<Element>() where Value == [Element] { self.init([]) }

  package func append<Element: Sendable>(_ element: Element) where Value == [Element] {
    state.withLock { $0.append(element) }
  }
}
