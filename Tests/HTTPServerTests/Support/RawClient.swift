import EventLoop
import Glibc

/// A client that sends exactly the given bytes and reads exactly what is received: a blocking socket on which every
/// wait fails after ten seconds.
final class RawClient {
  enum Failure: Error {
    case timedOut(received: String)
    case reset(received: String)
    case ended(received: String)
  }

  private var descriptor: Int32
  /// Received bytes that have not been consumed.
  private var received: [UInt8] = []

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw SystemError(code: errno, call: "connect") }
  }

  deinit { close() }

  func close() {
    if descriptor >= 0 { SystemCall.close(descriptor) }
    descriptor = -1
  }

  /// Closes with a reset instead of an orderly shutdown.
  func reset() {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func endSending() { SystemCall.endSending(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw SystemError(code: errno, call: "send") }
      sent += count
    }
  }

  /// Consumes the bytes up to and including `text`.
  func receive(through text: String) throws -> String {
    let pattern = Array(text.utf8)
    var searched = 0
    while true {
      while searched + pattern.count <= received.count {
        if received[searched..<(searched + pattern.count)].elementsEqual(pattern) {
          return take(searched + pattern.count)
        }
        searched += 1
      }
      if try receiveMore() == false { throw Failure.ended(received: take(received.count)) }
    }
  }

  func receive(count: Int) throws -> String {
    while received.count < count {
      if try receiveMore() == false { throw Failure.ended(received: take(received.count)) }
    }
    return take(count)
  }

  /// Consumes everything up to the end of the connection, which must not be a reset.
  func receiveAll() throws -> String {
    while try receiveMore() {}
    return take(received.count)
  }

  /// Consumes one response with a Content-Length (a missing one counts as 0).
  func receiveResponse(toHead: Bool = false) throws -> RawResponse {
    var response = RawResponse(head: try receive(through: "\r\n\r\n"))
    if !toHead, let length = response["content-length"].flatMap({ Int($0) }) {
      response.body = try receive(count: length)
    }
    return response
  }

  /// Waits until the connection has ended in any way.
  func waitForEnd() throws {
    do {
      while try receiveMore() {}
    } catch Failure.reset {}
  }

  private func take(_ count: Int) -> String {
    defer { received.removeFirst(count) }
    return String(decoding: received[..<count], as: UTF8.self)
  }

  private func receiveMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 {
      received += buffer[..<count]
      return true
    }
    if count == 0 { return false }
    let text = String(decoding: received, as: UTF8.self)
    throw errno == EAGAIN ? Failure.timedOut(received: text) : Failure.reset(received: text)
  }
}

/// A response as received.
struct RawResponse {
  let head: String
  var body = ""

  init(head: String) {
    self.head = head
  }

  var status: Int {
    let words = head.split(separator: " ", maxSplits: 2)
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }

  subscript(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return String(parts[1].drop { $0 == " " })
      }
    }
    return nil
  }
}
