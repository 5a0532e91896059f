/// An IPv4 or IPv6 address without a port, comparable however it was written. IPv4 is kept as the IPv6 address that
/// stands for it (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2), so that one client has one address.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// The first 64 bits: of IPv6 what one household has for itself.
  public let high: UInt64
  /// The other 64 bits.
  public let low: UInt64

  /// An address by its bits, the first in the highest place.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private static let mapped: UInt64 = 0xFFFF_0000_0000

  /// Whether it stands for an IPv4 address.
  public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// What counts as one client where clients are counted: an IPv4 address, or the 64 bits of IPv6 that one customer
  /// can fill as he likes.
  public var client: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

  /// An address as people and proxies write it, `192.0.2.1` or `2001:db8::1` (RFC 4291 section 2.2), without brackets,
  /// port or zone; nil for anything else.
  public init?(_ text: some StringProtocol) {
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

  /// Four decimal numbers; one with a leading zero is refused, for some read it as octal.
  private static func dotted(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy(Characters.isDigit) else { return nil }
      guard part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
      let number = part.reduce(0) { $0 * 10 + UInt32($1 - 0x30) }
      guard number < 256 else { return nil }
      address = address << 8 | number
    }
    return address
  }

  /// The eight groups of IPv6; `::` once stands for as many zeros as are missing.
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
        guard let digit = Characters.hexadecimal(byte) else { return nil }
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

  /// The one way of writing it that RFC 5952 asks for.
  public var description: String {
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
