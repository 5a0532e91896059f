import Outbound

/// The allowed push services. Endpoints come from clients, so their hosts must be on a list; hosts that the operator
/// has not named must also have public addresses.
package struct PushHosts: Hashable, Sendable {
  /// The browsers' services: Chrome and its derivatives, Firefox, Edge, Safari.
  private static let known = [
    "fcm.googleapis.com", "*.push.services.mozilla.com", "*.notify.windows.com", "web.push.apple.com",
    "*.push.apple.com",
  ]

  /// Additional hosts named by the operator.
  private var names: [String] = []
  /// Origins on this machine, http or https, for tests.
  private var trials: [String] = []

  /// The known services only.
  package init() {}

  /// The known services plus those in `text`, separated by commas: hosts (`push.example.org`), all subdomains of one
  /// (`*.example.org`), or for tests an origin on this machine (`http://127.0.0.1:9000`). Nil for anything else.
  package init?(adding text: String) {
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

  /// The allowed destination of a push to `address`: https, the default port, one of the hosts; nil if it is not
  /// allowed.
  package func reach(of address: WebAddress) -> TransportRequest.Reach? {
    if trials.contains(address.origin) { return .anyAddress }
    guard address.scheme == "https", address.port == 443 else { return nil }
    func isAmong(_ names: [String]) -> Bool {
      names.contains { name in
        name.hasPrefix("*.") ? address.host.hasSuffix(name.dropFirst()) : address.host == name
      }
    }
    return isAmong(names) ? .anyAddress : isAmong(Self.known) ? .publicAddresses : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }
}
