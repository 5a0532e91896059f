/// The unit in which attempts are limited by address.
enum ClientAddress {
  /// An IPv4 address itself, even if written as IPv6 (`::ffff:192.0.2.1`); for IPv6 the first 64 bits, since one
  /// household controls the rest.
  static func key(of address: String) -> String {
    guard address.contains(":") else { return address }
    if address.contains("."), let colon = address.lastIndex(of: ":") {
      return String(address[address.index(after: colon)...])
    }
    let bare = address.prefix { $0 != "%" }
    let parts = bare.split(separator: ":", omittingEmptySubsequences: false)
    // `::` produces an empty part, and at either end a second one.
    guard let gap = parts.firstIndex(of: "") else { return parts.prefix(4).joined(separator: ":") + "::/64" }
    let head = parts[..<gap]
    let tail = parts[gap...].filter { !$0.isEmpty }
    let zeros = repeatElement(Substring("0"), count: max(0, 8 - head.count - tail.count))
    return (head + zeros + tail).prefix(4).joined(separator: ":") + "::/64"
  }
}
