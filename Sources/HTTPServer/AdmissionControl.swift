import EventLoop
import HTTP

/// Counts connections in all and by address, over all loops of a server.
final class AdmissionControl: Sendable {
  private struct State {
    var total = 0
    var byAddress: [String: Int] = [:]
  }

  private let limits: Limits
  private let state = Lock(State())

  init(limits: Limits) {
    self.limits = limits
  }

  /// Counts a connection from `address`, unless that would pass a limit.
  func admit(_ address: String) -> Bool {
    state.withLock { state in
      guard state.total < limits.connections else { return false }
      guard state.byAddress[address, default: 0] < limits.connectionsPerAddress else { return false }
      state.total += 1
      state.byAddress[address, default: 0] += 1
      return true
    }
  }

  /// Takes a connection that was admitted off the count.
  func release(_ address: String) {
    state.withLock { state in
      state.total -= 1
      let left = state.byAddress[address, default: 1] - 1
      state.byAddress[address] = left == 0 ? nil : left
    }
  }
}
