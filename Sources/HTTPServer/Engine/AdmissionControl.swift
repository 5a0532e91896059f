import EventLoop
import HTTP

/// Counts connections in all and by client, over all loops of a server. Clients are IPv4 addresses and networks of 64
/// bits of IPv6.
final class AdmissionControl: Sendable {
  private struct State {
    var total = 0
    var byClient: [NetworkAddress: Int] = [:]
  }

  private let limits: Limits
  private let proxies: TrustedProxies
  private let state = Lock(State())

  /// - Parameter proxies: those who speak for many clients, and are counted in all only.
  init(limits: Limits, proxies: TrustedProxies = TrustedProxies()) {
    self.limits = limits
    self.proxies = proxies
  }

  /// Counts a connection from `address`, unless that would pass a limit.
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

  /// Whether there are as many connections in all as there may be.
  var isFull: Bool { state.withLock { $0.total >= limits.connections } }

  /// Takes a connection that was admitted off the count.
  func release(_ address: NetworkAddress) {
    let client = address.client
    state.withLock { state in
      state.total -= 1
      let left = state.byClient[client, default: 1] - 1
      state.byClient[client] = left == 0 ? nil : left
    }
  }
}
