import Outbound

/// Which push services may be sent to (SECURITY 11). Endpoints come from clients, and what resolves a name for
/// `URLSession` cannot be bound to an address that was looked at before; so names are compared, not addresses.
public struct PushHosts: Hashable, Sendable {
  /// Those of the browsers: Chrome and what is built on it, Firefox, Edge, Safari.
  private static let known = [
    "fcm.googleapis.com", "*.push.services.mozilla.com", "*.notify.windows.com", "web.push.apple.com",
    "*.push.apple.com",
  ]

  private var names: [String]
  /// Origins on this machine, by http or https: for trials.
  private var trials: [String] = []

  /// The known services alone.
  public init() { names = Self.known }

  /// The known services, and those that `text` names besides, separated by commas: hosts (`push.example.org`), all below
  /// one (`*.example.org`), or for trials an origin on this machine (`http://127.0.0.1:9000`). Nil where it names something
  /// else.
  public init?(adding text: String) {
    self.init()
    for entry in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      if let address = WebAddress(entry) {
        guard ["127.0.0.1", "[::1]", "localhost"].contains(address.host), address.path.isEmpty, address.query == nil
        else { return nil }
        trials.append(address.origin)
      } else {
        let name = entry.lowercased()
        let bare = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
        guard bare.contains("."), !bare.hasPrefix("."), !bare.hasSuffix("."), bare.utf8.allSatisfy(Self.isPlain) else {
          return nil
        }
        names.append(name)
      }
    }
  }

  /// Whether a push may go there: by https, at the usual port, to one of the hosts.
  public func allow(_ address: WebAddress) -> Bool {
    if trials.contains(address.origin) { return true }
    guard address.scheme == "https", address.port == 443 else { return false }
    return names.contains { name in
      name.hasPrefix("*.") ? address.host.hasSuffix(name.dropFirst()) : address.host == name
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }
}
