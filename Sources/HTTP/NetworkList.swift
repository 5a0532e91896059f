/// Networks given by their prefixes; an IPv4 network is stored as the corresponding IPv6 network.
package struct NetworkList: Hashable, Sendable {
  private struct Network: Hashable {
    let address: NetworkAddress
    /// The length of the prefix in bits, of 128.
    let length: Int

    func contains(_ other: NetworkAddress) -> Bool {
      if length <= 64 { return (address.high ^ other.high) >> UInt64(64 - length) == 0 }
      return address.high == other.high && (address.low ^ other.low) >> UInt64(128 - length) == 0
    }
  }

  private let networks: [Network]

  /// The empty list.
  package init() {
    networks = []
  }

  /// Parses a list of addresses and networks, such as `127.0.0.1, 10.0.0.0/8 fd00::/8`; nil if a member is neither.
  package init?(_ list: String) {
    var networks: [Network] = []
    for member in list.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let parts = member.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, let address = NetworkAddress(parts[0]) else { return nil }
      // An IPv4 address is the last 32 of 128 bits.
      let most = address.isIPv4 ? 32 : 128
      var length = most
      if parts.count == 2 {
        guard let given = Int(parts[1]), (0...most).contains(given) else { return nil }
        length = given
      }
      networks.append(Network(address: address, length: length + 128 - most))
    }
    self.networks = networks
  }

  package var isEmpty: Bool { networks.isEmpty }

  package func contains(_ address: NetworkAddress) -> Bool {
    networks.contains { $0.contains(address) }
  }
}
