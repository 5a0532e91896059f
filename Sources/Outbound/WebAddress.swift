/// An absolute `http` or `https` URL, split as text: nothing is resolved, decoded or normalised, so that a base path
/// such as `/api/v3` is never lost, and the URL that is checked is the one that is sent (RFC 3986 section 3).
package struct WebAddress: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// The port; the scheme's default if the URL has none.
  package let port: Int
  /// The path as written: empty, or starting with `/`.
  package let path: String
  /// The part after `?`; nil if there is no `?`.
  package let query: String?

  /// Parses `text`; nil if it is relative or has another scheme, user information, dot segments, a URI template, or any
  /// character that RFC 3986 does not allow. A fragment is dropped.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 2048, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    let text = text.prefix { $0 != "#" }
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    guard scheme == "https" || scheme == "http" else { return nil }
    let rest = text[text.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    let hierarchy = rest.dropFirst(2)
    let authority = hierarchy.prefix { $0 != "/" && $0 != "?" }
    guard let place = Self.split(authority: String(authority)) else { return nil }
    let tail = hierarchy[authority.endIndex...]
    let path = tail.prefix { $0 != "?" }
    guard !Self.hasDotSegments(path) else { return nil }
    self.scheme = scheme
    self.host = place.host
    self.port = place.port ?? (scheme == "https" ? 443 : 80)
    self.path = String(path)
    self.query = path.endIndex < tail.endIndex ? String(tail[tail.index(after: path.endIndex)...]) : nil
  }

  private init(scheme: String, host: String, port: Int, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Scheme, host and port; the port only if it is not the scheme's default.
  package var origin: String {
    let usual = scheme == "https" ? 443 : 80
    return scheme + "://" + host + (port == usual ? "" : ":\(port)")
  }

  /// The URL as text.
  package var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

  /// The request target: path and query as written.
  package var target: String { (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "") }

  /// Whether scheme, host and port are those of `other`.
  package func hasOrigin(of other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether the URL is at or below `base`: the same origin, and a path that starts with that of `base`.
  package func lies(within base: WebAddress) -> Bool {
    let prefix = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
    return hasOrigin(of: base) && (prefix.isEmpty || path == prefix || path.hasPrefix(prefix + "/"))
  }

  /// The first value of a query item as written, still percent-encoded; nil if there is none.
  package func queryValue(_ name: String) -> String? {
    query?.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
  }

  /// The same URL with one query item replaced, or appended if it is missing; nil removes it.
  package func replacingQuery(_ name: String, with value: String?) -> WebAddress {
    var items = query?.split(separator: "&").filter { $0 != name && !$0.hasPrefix(name + "=") }.map(String.init) ?? []
    if let value { items.append(name + "=" + value) }
    let query = items.isEmpty ? nil : items.joined(separator: "&")
    return WebAddress(scheme: scheme, host: host, port: port, path: path, query: query)
  }

  /// The URL that a `Location` field refers to: absolute, or a path on this origin; otherwise nil.
  package func resolving(location: String) -> WebAddress? {
    if location.hasPrefix("/") && !location.hasPrefix("//") { return WebAddress(origin + location) }
    return WebAddress(location)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
    default: false
    }
  }

  private static func split(authority: String) -> (host: String, port: Int?)? {
    guard !authority.contains("@") else { return nil }
    var host = Substring(authority)
    var port: Int?
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      guard let number = Int(digits), (1...65535).contains(number), !digits.hasPrefix("+") else { return nil }
      port = number
    }
    guard !host.isEmpty, host.utf8.count <= 255, !host.contains("%") else { return nil }
    return (host.lowercased(), port)
  }

  private static func hasDotSegments(_ path: some StringProtocol) -> Bool {
    path.split(separator: "/").contains { segment in
      let plain = segment.lowercased().split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
      return plain == "." || plain == ".."
    }
  }
}
