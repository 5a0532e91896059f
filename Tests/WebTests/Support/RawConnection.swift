import Dispatch
import EventLoop
import HTTPServer

/// A TCP connection that a test writes, reads and cuts freely. Blocking calls run on Dispatch threads.
final class RawConnection: Sendable {
  private let socket: Int32

  init(port: Int) throws {
    socket = try SystemCall.connect(to: SocketAddress(host: "127.0.0.1", port: port), timeoutSeconds: 120)
  }

  deinit { SystemCall.close(socket) }

  func write(_ bytes: some Sequence<UInt8>) throws { try SystemCall.sendAll(socket, Array(bytes)) }

  /// The next bytes, at most `count`; nil at the end.
  func read(atMost count: Int = 64 * 1024) async throws -> [UInt8]? {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try SystemCall.receiveBlocking(self.socket, atMost: count) })
      }
    }
  }

  /// Everything until the end.
  func readAll() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try await read() { bytes += part }
    return bytes
  }

  /// Shuts down sending: what the server sends can still be read.
  func endSending() { SystemCall.endSending(socket) }

  /// Shuts down both directions; what the server sends from now on is lost.
  func cut() { SystemCall.endBoth(socket) }
}

/// The events of a stream byte for byte, with their ids.
struct EventBlocks {
  struct Block: Hashable {
    let id: Int64?
    let name: String
    let text: String
  }

  private var buffer: [UInt8] = []
  private var hasHead = false
  private(set) var status = ""
  private(set) var blocks: [Block] = []

  /// The blocks that have an id.
  var durable: [Block] { blocks.filter { $0.id != nil } }

  /// Adds bytes; as in a browser, a block counts once it is complete.
  mutating func feed(_ bytes: [UInt8]) {
    buffer += bytes
    if !hasHead {
      guard let end = Self.end(of: "\r\n\r\n", in: buffer) else { return }
      status = String(decoding: buffer.prefix { $0 != 13 }, as: UTF8.self)
      buffer.removeFirst(end)
      hasHead = true
    }
    while let end = Self.end(of: "\n\n", in: buffer) {
      let text = String(decoding: buffer.prefix(end), as: UTF8.self)
      buffer.removeFirst(end)
      func value(_ field: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(field + ": ") }.map { String($0.dropFirst(field.count + 2)) }
      }
      if let name = value("event") {
        blocks.append(Block(id: value("id").flatMap { Int64($0) }, name: name, text: text))
      }
    }
  }

  private static func end(of mark: String, in bytes: [UInt8]) -> Int? {
    let mark = Array(mark.utf8)
    guard bytes.count >= mark.count else { return nil }
    return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
      .map { $0 + mark.count }
  }
}
