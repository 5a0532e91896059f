import Foundation
import Outbound
import Synchronization
import Testing

/// A server on the loopback interface that runs a script on each connection, in a thread of its own.
final class Peer: Sendable {
  /// A connection, seen from the server.
  struct Connection: Sendable {
    fileprivate let socket: Int32
    fileprivate let notes: AsyncStream<String>.Continuation
    /// The connection's number, starting at 1.
    let number: Int

    /// A request's head, and any part of the body received with it; empty at the connection's end.
    func readRequest() -> String {
      var bytes: [UInt8] = []
      while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
        guard let more = readSome() else { break }
        bytes += more
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    func write(_ text: String) { _ = write(Array(text.utf8)) }

    /// Returns false when the client has closed the connection.
    func write(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Returns when the client has closed the connection.
    func waitForEnd() { while readSome() != nil {} }

    func note(_ text: String) { notes.yield(text) }

    private func readSome() -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(socket, &buffer, buffer.count, 0)
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }

  let port: Int
  private let listener: Int32
  private let received: AsyncStream<String>
  private let accepted = Mutex(0)

  init(_ script: @escaping @Sendable (Connection) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) | listen(listener, 64) | getsockname(listener, $0, &length)
      }
    }
    try #require(listener >= 0 && result == 0)
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    let notes: AsyncStream<String>.Continuation
    (received, notes) = AsyncStream.makeStream()
    Thread.detachNewThread { [self] in
      while true {
        let socket = accept(listener, nil, nil)
        if socket < 0 { return }
        let number = accepted.withLock { count in
          count += 1
          return count
        }
        Thread.detachNewThread {
          script(Connection(socket: socket, notes: notes, number: number))
          close(socket)
        }
      }
    }
  }

  /// Stops listening; connections end with their scripts.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The number of connections so far.
  var connections: Int { accepted.withLock { $0 } }

  /// Returns when the script has noted `text`.
  func noted(_ text: String) async { _ = await received.first { $0 == text } }

  /// A request to this server, which may connect anywhere by default.
  func request(
    _ target: String = "/", method: TransportRequest.Method = .get, host: String = "127.0.0.1",
    reach: TransportRequest.Reach = .anyAddress, fields: [String: String] = [:], body: [UInt8] = [],
    limit: Int = 1 << 20, timeout: Duration = .seconds(60)
  ) -> TransportRequest {
    guard let address = WebAddress("http://\(host):\(port)\(target)") else { preconditionFailure("\(host) \(target)") }
    return TransportRequest(
      method: method, address: address, reach: reach, fields: fields, body: body, bodyLimit: limit, timeout: timeout)
  }
}

/// Runs `body` with a server that runs `script`.
func withPeer(
  _ script: @escaping @Sendable (Peer.Connection) -> Void,
  _ body: (Peer, CurlTransport) async throws -> Void
) async throws {
  let peer = try Peer(script)
  defer { peer.stop() }
  try await body(peer, CurlTransport())
}

/// Why `send` fails, in one word.
func failure(_ transport: CurlTransport, _ request: TransportRequest) async -> String {
  do {
    return "status \(try await transport.send(request).status)"
  } catch {
    if case .unreachable = error { return "unreachable" }
    return "\(error)"
  }
}
