import Base

/// An IPv4 or IPv6 address without a port, in canonical form. IPv4 is stored as its IPv4-mapped address
/// (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2), so that one client has one address.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// The high 64 bits; for IPv6, the network of one customer.
  package let high: UInt64
  /// The low 64 bits.
  package let low: UInt64

  /// An address from its bits, high half first.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private static let mapped: UInt64 = 0xFFFF_0000_0000

  /// Whether it is an IPv4-mapped address.
  package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// The key for limits per client: an IPv4 address, or an IPv6 /64, which one customer can fill at will.
  package var client: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

  /// Parses `192.0.2.1` or `2001:db8::1` (RFC 4291 section 2.2), without brackets, port or zone; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let text = Array(text.utf8)
    if !text.contains(UInt8(ascii: ":")) {
      guard let address = NetworkAddress.dotted(text[...]) else { return nil }
      self.init(high: 0, low: NetworkAddress.mapped | UInt64(address))
      return
    }
    guard let groups = NetworkAddress.groups(text) else { return nil }
    let halves = groups.reduce(into: (high: UInt64(0), low: UInt64(0))) { halves, group in
      halves.high = halves.high << 16 | halves.low >> 48
      halves.low = halves.low << 16 | UInt64(group)
    }
    self.init(high: halves.high, low: halves.low)
  }

  /// Four decimal numbers; leading zeros are rejected, since some implementations read them as octal.
  private static func dotted(_ text: ArraySlice<UInt8>) -> UInt32? {
    var (address, number, digits, points): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
    for byte in text {
      if byte == UInt8(ascii: "."), digits > 0, points < 3 {
        (address, number, digits, points) = (address << 8 | number, 0, 0, points + 1)
      } else {
        guard Characters.isDigit(byte), digits == 0 || number > 0 else { return nil }
        (number, digits) = (number * 10 + UInt32(byte - 0x30), digits + 1)
        guard number < 256 else { return nil }
      }
    }
    return digits > 0 && points == 3 ? address << 8 | number : nil
  }

  /// The eight groups of an IPv6 address; one `::` stands for the missing zeros.
  private static func groups(_ text: [UInt8]) -> [UInt16]? {
    var before: [UInt16] = []
    var after: [UInt16]?
    var rest = text[...]
    if rest.starts(with: "::".utf8) {
      after = []
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: ":") }
      rest = rest.dropFirst(part.count)
      if rest.isEmpty, let address = dotted(part) {
        let pair = [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
        if after == nil { before += pair } else { after? += pair }
        break
      }
      guard (1...4).contains(part.count) else { return nil }
      var group: UInt16 = 0
      for byte in part {
        guard let digit = byte.hexadecimalValue else { return nil }
        group = group << 4 | UInt16(digit)
      }
      if after == nil { before.append(group) } else { after?.append(group) }
      if rest.isEmpty { break }
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: ":") {
        guard after == nil else { return nil }
        after = []
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return nil
      }
    }
    guard let after else { return before.count == 8 ? before : nil }
    guard before.count + after.count < 8 else { return nil }
    return before + [UInt16](repeating: 0, count: 8 - before.count - after.count) + after
  }

  /// The canonical text (RFC 5952).
  package var description: String {
    if isIPv4 { return (0..<4).map { String(low >> (24 - 8 * $0) & 0xFF) }.joined(separator: ".") }
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> (48 - 16 * ($0 % 4))) }
    var longest = 0..<0
    var start = 0
    while start < 8 {
      let end = groups[start...].firstIndex { $0 != 0 } ?? 8
      if end - start > max(1, longest.count) { longest = start..<end }
      start = max(end, start + 1)
    }
    func text(_ groups: ArraySlice<UInt16>) -> String { groups.map { String($0, radix: 16) }.joined(separator: ":") }
    if longest.isEmpty { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }
}
