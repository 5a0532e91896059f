import FoundationEssentials

/// An OAuth application registered at the stand-in.
package struct OAuthApplication: Sendable, Equatable {
  /// The name on the consent page.
  package var name = "Hubbub"
  /// The client id.
  package var id = "demo-client"
  /// The client secret.
  package var secret = "demo-secret"
  /// The registered callback URL; nil allows any path and port on the loopback interface and nothing else.
  package var callback: String?
  /// Whether the device flow is enabled.
  package var allowsDeviceFlow = true

  /// The demo's application.
  package init() {}

  /// Whether a person may be redirected to `address`: loopback with any port, or the registered host (or a subdomain)
  /// and port, at or below the registered path.
  func accepts(redirect address: String) -> Bool {
    guard let asked = URLComponents(string: address), let host = asked.host?.lowercased(), asked.user == nil,
      asked.fragment == nil, asked.scheme == "http" || asked.scheme == "https"
    else { return false }
    if ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host) { return true }
    guard let callback, let own = URLComponents(string: callback), let ownHost = own.host?.lowercased(),
      own.scheme == asked.scheme, own.port == asked.port, host == ownHost || host.hasSuffix("." + ownHost)
    else { return false }
    let folder = own.path.hasSuffix("/") ? own.path : own.path + "/"
    return asked.path == own.path || asked.path.hasPrefix(folder)
  }
}
