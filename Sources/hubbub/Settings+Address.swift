extension Settings {
  /// What links begin with, where it is known: the address that people type, else the one that is listened on, at this
  /// port, unless that means all addresses of the machine and so none to go to. Never what a client says (SECURITY 14).
  func address(port: Int) -> String? {
    if let publicURL { return publicURL }
    guard !["0.0.0.0", "::", "[::]", "0", "::0"].contains(host) else { return nil }
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// Whether `address` will be known once there is a port.
  var hasAddress: Bool { address(port: 0) != nil }
}
