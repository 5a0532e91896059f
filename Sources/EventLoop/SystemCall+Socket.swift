import CLinux
import Glibc

extension SystemCall {
  /// Creates a non-blocking TCP socket that is closed on exec.
  package static func tcpSocket(family: Int32) throws(SystemError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return try require("socket") { socket(family, kind, 0) }
  }

  /// Sets an integer option.
  package static func setOption(
    _ socket: Int32, level: Int32, _ option: Int32, _ value: Int32
  ) throws(SystemError) {
    try require("setsockopt") {
      withUnsafePointer(to: value) { setsockopt(socket, level, option, $0, socklen_t(MemoryLayout<Int32>.size)) }
    }
  }

  /// Binds a socket to `address`.
  package static func bind(_ socket: Int32, to address: SocketAddress) throws(SystemError) {
    try require("bind") { address.withPointer { Glibc.bind(socket, $0, $1) } }
  }

  /// Listens on a bound socket with a queue of `backlog` connections.
  package static func listen(_ socket: Int32, backlog: Int32) throws(SystemError) {
    try require("listen") { Glibc.listen(socket, backlog) }
  }

  /// Accepts a connection; its descriptor is non-blocking and closed on exec.
  package static func accept(_ listener: Int32) throws(SystemError) -> Attempt<(socket: Int32, peer: SocketAddress)> {
    var peer = SocketAddress()
    let accepted = try attempt("accept4") { peer.fill { clinux_accept(listener, $0, $1) } }
    switch accepted {
    case .done(let socket): return .done((socket, peer))
    case .wouldBlock: return .wouldBlock
    }
  }

  /// The address that a socket is bound to.
  package static func localAddress(of socket: Int32) throws(SystemError) -> SocketAddress {
    var address = SocketAddress()
    try require("getsockname") {
      address.fill { storage, length in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, length) }
      }
    }
    return address
  }

  /// Shuts down the sending side. Ignores a connection that is already closed.
  package static func endSending(_ socket: Int32) {
    _ = shutdown(socket, Int32(SHUT_WR))
  }
}
