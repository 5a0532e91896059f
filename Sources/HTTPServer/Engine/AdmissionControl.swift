import Base
import EventLoop
import HTTP

/// Counts a server's connections, in total and per client (an IPv4 address or IPv6 /64 network), over all loops.
final class AdmissionControl: Sendable {
  private struct State {
    var total = 0
    var byClient: [NetworkAddress: Int] = [:]
  }

  private let limits: Limits
  private let proxies: TrustedProxies
  private let state = Lock(State())

  /// - Parameter proxies: exempt from the limit per client.
  init(limits: Limits, proxies: TrustedProxies = TrustedProxies()) {
    self.limits = limits
    self.proxies = proxies
  }

  /// Admits and counts a connection from `address`, unless a limit is reached.
  func admit(_ address: NetworkAddress) -> Bool {
    let client = address.client
    let isProxy = proxies.contains(address)
    return state.withLock { state in
      guard state.total < limits.connections else { return false }
      guard isProxy || state.byClient[client, default: 0] < limits.connectionsPerAddress else { return false }
      state.total += 1
      state.byClient[client, default: 0] += 1
      return true
    }
  }

  /// Whether the total is at its limit.
  var isFull: Bool { state.withLock { $0.total >= limits.connections } }

  /// Uncounts an admitted connection.
  func release(_ address: NetworkAddress) {
    let client = address.client
    state.withLock { state in
      state.total -= 1
      let left = state.byClient[client, default: 1] - 1
      state.byClient[client] = left == 0 ? nil : left
    }
  }
}
