import FoundationEssentials

/// An OAuth application as it is registered at the stand-in.
public struct OAuthApplication: Sendable, Equatable {
  /// The name on the page that asks for consent.
  public var name = "Hubbub"
  /// The client id.
  public var id = "demo-client"
  /// The client secret.
  public var secret = "demo-secret"
  /// The registered callback address; nil: any path and any port on loopback, and nowhere else.
  public var callback: String?
  /// Whether the device flow is enabled.
  public var allowsDeviceFlow = true

  /// The demo's application.
  public init() {}

  /// Whether a person may be sent to `address`: loopback whatever the port, or the registered host and port (or a
  /// subdomain of it) at the registered path or below.
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
