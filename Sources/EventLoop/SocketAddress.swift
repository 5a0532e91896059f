import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// An empty address for the system to fill in.
  init() {}

  /// A copy of the socket address of `length` bytes at `pointer`.
  package init(copying pointer: UnsafeRawPointer, length: Int) {
    self.length = socklen_t(min(length, MemoryLayout<sockaddr_storage>.size))
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: Int(self.length)))
    }
  }

  /// The first address of `host`, a literal or a name. Resolving a name may block.
  package init(host: String, port: Int) throws(SystemError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found, let address = found.pointee.ai_addr else {
      throw SystemError(code: EADDRNOTAVAIL, call: "getaddrinfo")
    }
    defer { freeaddrinfo(found) }
    length = found.pointee.ai_addrlen
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(found.pointee.ai_addrlen)))
    }
  }

  /// `AF_INET` or `AF_INET6`.
  package var family: Int32 { Int32(storage.ss_family) }

  /// The port in host byte order.
  package var port: Int {
    // The port is at the same offset in both families' structures.
    withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
  }

  /// The address as 128 bits, high half first; IPv4 as its IPv4-mapped address (RFC 4291 section 2.5.5.2). Zero for
  /// other families.
  package var bits: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: storage) { bytes in
      func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      if family == AF_INET { return (0, 0xFFFF_0000_0000 | number(4..<8)) }
      return family == AF_INET6 ? (number(8..<16), number(16..<24)) : (0, 0)
    }
  }

  /// The address without its port: `127.0.0.1`, `2001:db8::1`. An IPv4 address that came through an IPv6 socket is
  /// written as IPv4, so that one client has one address.
  package var host: String {
    withUnsafeBytes(of: storage) { bytes in
      if family == AF_INET { return Self.dotted(bytes[4..<8]) }
      guard family == AF_INET6 else { return "unknown" }
      let address = bytes[8..<24]
      if address.prefix(10).allSatisfy({ $0 == 0 }), address[18] == 0xFF, address[19] == 0xFF {
        return Self.dotted(address.suffix(4))
      }
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
        let source = UnsafeRawBufferPointer(rebasing: address).baseAddress
        guard let text = inet_ntop(AF_INET6, source, text.baseAddress, socklen_t(INET6_ADDRSTRLEN)) else {
          return "unknown"
        }
        return String(cString: text)
      }
    }
  }

  private static func dotted(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    bytes.map { String($0) }.joined(separator: ".")
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  mutating func fill<Result>(
    _ body: (UnsafeMutablePointer<sockaddr_storage>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      withUnsafeMutablePointer(to: &length) { body(storage, $0) }
    }
  }
}
