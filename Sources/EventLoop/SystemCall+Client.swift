import Glibc

/// Blocking calls for clients in tests and tools, on threads of their own; never on a loop.
extension SystemCall {
  /// A connected blocking TCP socket whose calls time out after `timeoutSeconds`.
  package static func connect(to address: SocketAddress, timeoutSeconds: Int) throws(SystemError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = try require("socket") { socket(address.family, kind, 0) }
    do throws(SystemError) {
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        let limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        try require("setsockopt") {
          withUnsafePointer(to: limit) {
            setsockopt(descriptor, SOL_SOCKET, option, $0, socklen_t(MemoryLayout<timeval>.size))
          }
        }
      }
      try require("connect") { address.withPointer { Glibc.connect(descriptor, $0, $1) } }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Sends all of `bytes` on a blocking socket. EAGAIN means a timeout.
  package static func sendAll(_ socket: Int32, _ bytes: [UInt8]) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      sent += try require("send") {
        bytes.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Waits for bytes on a blocking socket; nil is the end of the data, EAGAIN a timeout.
  package static func receiveBlocking(_ socket: Int32, atMost count: Int) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = try require("recv") { bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) } }
    return received == 0 ? nil : Array(bytes[..<received])
  }

  /// Shuts down both directions, which wakes a thread that waits on the socket.
  package static func endBoth(_ socket: Int32) {
    _ = shutdown(socket, Int32(SHUT_RDWR))
  }
}
