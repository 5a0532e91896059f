import Synchronization

/// A number that a test moves under a simulation's clock.
final class Shared: Sendable {
  private let number: Mutex<Int64>
  init(_ start: Int64) { number = Mutex(start) }
  var value: Int64 { number.withLock { $0 } }
  func set(_ value: Int64) { number.withLock { $0 = value } }
}
