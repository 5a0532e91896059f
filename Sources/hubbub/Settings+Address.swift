import FoundationEssentials
import HTTP

extension Settings {
  /// The base of absolute links, if known: the public address, else the listening address with this port, unless that
  /// is a wildcard. Never taken from a request.
  func address(port: Int) -> String? {
    if let publicURL { return publicURL }
    guard !["0.0.0.0", "::", "[::]", "0", "::0"].contains(host) else { return nil }
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// Whether `address` is known once there is a port.
  var hasAddress: Bool { address(port: 0) != nil }

  /// The host names with a dot that requests may use besides the public one: the one listened on, this machine's, and
  /// those added by the operator.
  var ownHostNames: Set<String> {
    Set(([host, ProcessInfo.processInfo.hostName] + hostNames).map { $0.lowercased() })
  }

  /// Whether the settings imply a proxy on another machine that is not trusted.
  var lacksProxy: Bool {
    guard let publicURL, publicURL.hasPrefix("https://") else { return false }
    if trustedProxies.isEmpty { return true }
    return !["127.0.0.1", "::1", "localhost"].contains(host) && trustedProxies == .loopback
  }
}
