import EventLoop

/// The reason a server could not start.
package enum ServerError: Error, Hashable, CustomStringConvertible {
  /// Another program listens on the port: choose another port or stop that program.
  case addressInUse(host: String, port: Int)
  /// The host is unknown, the port needs privileges, or the system is out of descriptors.
  case cannotListen(host: String, port: Int, SystemError)

  /// What happened, in one line.
  package var description: String {
    switch self {
    case .addressInUse(let host, let port): "\(host):\(port) is in use"
    case .cannotListen(let host, let port, let error): "cannot listen on \(host):\(port): \(error)"
    }
  }
}
