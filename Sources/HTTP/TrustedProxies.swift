/// The proxies whose `Forwarded` (RFC 7239), `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. From anyone else
/// these fields are ignored, since anyone can set them.
package struct TrustedProxies: Hashable, Sendable {
  /// The origin of a request.
  package struct Origin: Hashable, Sendable {
    /// The nearest address that is not a trusted proxy's; nil if a trusted proxy sent fields that cannot be read or
    /// contradict each other. The client is unknown then, and must not pass for the proxy.
    package let address: NetworkAddress?
    /// Whether a trusted proxy received the request over https.
    package let isSecure: Bool
  }

  private let networks: NetworkList

  /// Trusts no one.
  package init() {
    networks = NetworkList()
  }

  /// The proxies of `list` (see `NetworkList`); nil when it is malformed.
  package init?(_ list: String) {
    guard let networks = NetworkList(list) else { return nil }
    self.networks = networks
  }

  /// Proxies on this machine.
  package static let loopback = TrustedProxies("127.0.0.0/8, ::1") ?? TrustedProxies()

  package var isEmpty: Bool { networks.isEmpty }

  /// Whether the address is a trusted proxy's.
  package func contains(_ address: NetworkAddress) -> Bool {
    networks.contains(address)
  }

  /// The origin of a request from `peer`.
  ///
  /// The list is read from its end, which the nearest proxy wrote, for as long as the proxies are trusted. A proxy
  /// writes one of the two kinds of fields and may pass the other on unchanged from its client: if both exist and
  /// differ, the client is unknown. Without any of these fields the proxy itself is the client.
  package func origin(of head: RequestHead, peer: NetworkAddress) -> Origin {
    guard contains(peer) else { return Origin(address: peer, isSecure: false) }
    let standard = head.all(.forwarded)
    let custom = head.all(.xForwardedFor)
    let secure = head.all(.xForwardedProto).last.map { lastMember($0) == "https" }
    if standard.isEmpty {
      if custom.isEmpty { return Origin(address: peer, isSecure: secure ?? false) }
      let hops = custom.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
        .map { NetworkAddress(hop: $0) }
      return Origin(address: client(hops, peer), isSecure: secure ?? false)
    }
    guard let elements = ForwardedElement.list(standard.joined(separator: ",")) else {
      return Origin(address: nil, isSecure: false)
    }
    let address = client(elements.map(\.address), peer)
    let isSecure = elements.last?.scheme == "https"
    if !custom.isEmpty || secure != nil {
      let hops = custom.joined(separator: ",").split(separator: ",").map { NetworkAddress(hop: $0) }
      guard custom.isEmpty || client(hops, peer) == address, secure ?? isSecure == isSecure else {
        return Origin(address: nil, isSecure: false)
      }
    }
    return Origin(address: address, isSecure: isSecure)
  }

  private func client(_ hops: [NetworkAddress?], _ peer: NetworkAddress) -> NetworkAddress? {
    var nearest = peer
    for hop in hops.reversed() where contains(nearest) {
      // An entry that is not an address ("unknown", an obfuscated name) hides all entries before it.
      guard let hop else { return nil }
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
  /// Parses an address with optional port (IPv6 in brackets) and surrounding white space.
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

/// One proxy's entry in Forwarded (RFC 7239 section 4): the members used here.
struct ForwardedElement: Hashable {
  /// The `for` member, if it is an address.
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

  /// Splits at separators outside of quotes.
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
