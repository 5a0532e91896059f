/// The proxies whose word about their clients is believed: `Forwarded` (RFC 7239), `X-Forwarded-For` and
/// `X-Forwarded-Proto`. From anybody else these fields mean nothing, for anybody can write them.
public struct TrustedProxies: Hashable, Sendable {
  /// Where a request comes from.
  public struct Origin: Hashable, Sendable {
    /// The nearest address that is not a trusted proxy's.
    public let address: NetworkAddress
    /// Whether a trusted proxy says that it was asked by https.
    public let isSecure: Bool
  }

  private struct Network: Hashable {
    let address: NetworkAddress
    /// How many bits count, of 128.
    let length: Int

    func contains(_ other: NetworkAddress) -> Bool {
      if length <= 64 { return (address.high ^ other.high) >> UInt64(64 - length) == 0 }
      return address.high == other.high && (address.low ^ other.low) >> UInt64(128 - length) == 0
    }
  }

  private let networks: [Network]

  /// Nobody.
  public init() {
    networks = []
  }

  /// A list of addresses and networks, `127.0.0.1, 10.0.0.0/8, fd00::/8`; nil when a member is neither.
  public init?(_ list: String) {
    var networks: [Network] = []
    for member in list.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let parts = member.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, let address = NetworkAddress(parts[0]) else { return nil }
      // An IPv4 address is the last 32 bits of 128.
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

  /// Whether nobody is trusted.
  public var isEmpty: Bool { networks.isEmpty }

  /// Whether the address is a trusted proxy's.
  public func contains(_ address: NetworkAddress) -> Bool {
    networks.contains { $0.contains(address) }
  }

  /// Where the request comes from that `peer` has sent.
  ///
  /// From the end of the list on, which the nearest proxy wrote, each address is believed as long as the one behind it
  /// is trusted. A proxy writes one of the two kinds of fields and may pass the other on as its client wrote it: where
  /// both are there and differ, neither is believed.
  public func origin(of head: RequestHead, peer: NetworkAddress) -> Origin {
    guard contains(peer) else { return Origin(address: peer, isSecure: false) }
    let standard = head.all(.forwarded)
    let custom = head.all(.xForwardedFor)
    let secure = head.all(.xForwardedProto).last.map { lastMember($0) == "https" }
    if standard.isEmpty {
      let hops = custom.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
        .map { NetworkAddress(hop: $0) }
      return Origin(address: client(hops, peer), isSecure: secure ?? false)
    }
    guard let elements = ForwardedElement.list(standard.joined(separator: ",")) else {
      return Origin(address: peer, isSecure: false)
    }
    let address = client(elements.map(\.address), peer)
    let isSecure = elements.last?.scheme == "https"
    if !custom.isEmpty || secure != nil {
      let hops = custom.joined(separator: ",").split(separator: ",").map { NetworkAddress(hop: $0) }
      guard client(hops, peer) == address, secure ?? isSecure == isSecure else {
        return Origin(address: peer, isSecure: false)
      }
    }
    return Origin(address: address, isSecure: isSecure)
  }

  private func client(_ hops: [NetworkAddress?], _ peer: NetworkAddress) -> NetworkAddress {
    var nearest = peer
    for hop in hops.reversed() {
      // What is no address ("unknown", a name made up) hides all that stands before it.
      guard contains(nearest), let hop else { break }
      nearest = hop
    }
    return nearest
  }

  private func lastMember(_ list: String) -> String {
    let member = list.utf8.split(separator: UInt8(ascii: ",")).last ?? ""[...].utf8
    return String(Substring(member)).filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}

extension NetworkAddress {
  /// An address as proxies write it: perhaps with a port, IPv6 then in brackets, perhaps white space around it.
  init?(hop text: some StringProtocol) {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    if text.first == "[" {
      let inside = text.dropFirst().prefix { $0 != "]" }
      let rest = text.dropFirst(inside.count + 1)
      guard rest.first == "]", NetworkAddress.isPort(rest.dropFirst()) else { return nil }
      self.init(inside)
    } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 {
      let address = text.prefix { $0 != ":" }
      guard NetworkAddress.isPort(text.dropFirst(address.count)) else { return nil }
      self.init(address)
    } else {
      self.init(text)
    }
  }

  private static func isPort(_ text: some StringProtocol) -> Bool {
    text.isEmpty || (text.first == ":" && text.count > 1 && text.utf8.dropFirst().allSatisfy(Characters.isDigit))
  }
}

/// One proxy's entry in Forwarded (RFC 7239 section 4), as far as it matters here.
struct ForwardedElement: Hashable {
  /// `for`, where it is an address.
  var address: NetworkAddress?
  /// `proto` in lower case.
  var scheme: String?

  /// The elements of a field's value; nil when it is malformed.
  static func list(_ value: String) -> [ForwardedElement]? {
    var elements: [ForwardedElement] = []
    for text in split(value, at: UInt8(ascii: ",")) {
      var element = ForwardedElement()
      for pair in split(text, at: UInt8(ascii: ";")) {
        // A media type's parameters have the same syntax: token = token or quoted string, semicolons between them.
        let trimmed = String(pair.drop { $0 == " " || $0 == "\t" })
        if trimmed.isEmpty { continue }
        guard let parameter = MediaType("a/b;" + trimmed)?.parameters.first else { return nil }
        switch parameter.key {
        case "for": element.address = NetworkAddress(hop: parameter.value)
        case "proto": element.scheme = parameter.value.lowercased()
        default: break
        }
      }
      elements.append(element)
    }
    return elements
  }

  /// Cuts at the separators that stand outside of quotes.
  private static func split(_ text: some StringProtocol, at separator: UInt8) -> [Substring] {
    var parts: [Substring] = []
    var isQuoted = false
    var isEscaped = false
    var start = text.startIndex
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == separator, !isQuoted {
        parts.append(Substring(text[start..<index]))
        start = text.utf8.index(after: index)
      }
    }
    parts.append(Substring(text[start...]))
    return parts
  }
}
