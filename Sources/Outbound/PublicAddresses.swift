import HTTP

/// Tells addresses of the public internet from those of this machine, its network and special uses (the IANA registries
/// for special-purpose addresses, RFC 6890).
enum PublicAddresses {
  /// Whether `address` is public. An IPv4 address within IPv6 (mapped, or translated by NAT64) counts as itself.
  static func contains(_ address: NetworkAddress) -> Bool {
    if address.isIPv4 { return !special.contains(address) }
    // 64:ff9b::/96, to which a NAT64 resolver maps public IPv4 addresses (RFC 6052).
    if address.high == 0x0064_ff9b_0000_0000, address.low >> 32 == 0 {
      return !special.contains(NetworkAddress(high: 0, low: 0xFFFF_0000_0000 | address.low))
    }
    return global.contains(address) && !special.contains(address)
  }

  /// All of IPv6 that is allocated for global unicast.
  private static let global = networks("2000::/3")

  private static let special = networks(
    """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 \
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 \
    2001::/23 2001:db8::/32 2002::/16 3fff::/20
    """)

  private static func networks(_ list: String) -> NetworkList {
    guard let networks = NetworkList(list) else { preconditionFailure("malformed network in \(list)") }
    return networks
  }
}
