import HTTP

/// Rejects requests for host names other than this server's. Otherwise a page whose host name was pointed at this
/// address after it was loaded (DNS rebinding) could read and write as if it came from here.
///
/// Addresses and names without a dot are accepted: nobody can publish those. A host whose last label is a number is an
/// address, or nothing a browser would ask (URL Standard, "ends in a number checker").
struct HostCheck: Sendable {
  /// This server's names with a dot, in lower case; nil accepts all.
  let names: Set<String>?

  /// Throws 421 for a different server's name.
  func check(_ head: RequestHead) throws(Problem) {
    guard let names, head.withHost(HostCheck.isPublishable) else { return }
    let name = head.withHost { String(decoding: HostCheck.name(of: $0), as: UTF8.self) }.lowercased()
    if names.contains(name) || name.hasSuffix(".localhost") { return }
    throw Problem(
      name: .invalid, status: .misdirectedRequest,
      detail: "This server does not serve this host name. The operator can add it with --public-url or --host-names."
    )
  }

  /// Whether a host could be somebody's name on the Internet. Looks at bytes only, since every request is checked.
  private static func isPublishable(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = name(of: host)
    guard host.first != UInt8(ascii: "["), let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return !name[(dot + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The host without its port and trailing dot.
  private static func name(of host: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>.SubSequence {
    let name = host[..<(host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex)]
    return name.last == UInt8(ascii: ".") ? name.dropLast() : name
  }
}
