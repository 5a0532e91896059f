import Base
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Output queue")
struct OutputQueueTests {
  @Test("everything queued is sent completely and in order, through a socket that accepts little at a time")
  func order() throws {
    let path = "/tmp/hubbub-output-queue-\(getpid())"
    let content = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let descriptor = creat(path, 0o600)
    defer { remove(path) }
    #expect(write(descriptor, content, content.count) == content.count)
    SystemCall.close(descriptor)
    let file = try OpenFile(path: path)
    var sockets: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &sockets) == 0)
    defer { for socket in sockets { SystemCall.close(socket) } }
    var small: Int32 = 4096
    setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &small, 4)

    var random = SeededRandom(seed: 7)
    var queue = OutputQueue()
    var expected: [UInt8] = []
    var received: [UInt8] = []
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...400, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let large = [UInt8](repeating: 9, count: Int.random(in: 2000...20_000, using: &random))
        queue.append(large)
        expected += large
      case 1:
        let offset = Int.random(in: 0..<40_000, using: &random)
        let count = Int.random(in: 0...10_000, using: &random)
        queue.append(FileBody(file, offset: offset, count: count))
        expected += content[offset..<(offset + count)]
      case 2...5:
        queue.append(SharedBytes(bytes))
        expected += bytes
      case 6...8:
        queue.append { $0 += bytes }
        expected += bytes
      default:
        if !queue.isEmpty { _ = try queue.write(to: sockets[0]) }
        received += try receive(sockets[1])
      }
      #expect(queue.pendingBytes == expected.count - received.count - unread(sockets[1]))
    }
    while !queue.isEmpty {
      _ = try queue.write(to: sockets[0])
      received += try receive(sockets[1])
    }
    received += try receive(sockets[1])
    #expect(received == expected)
    #expect(queue.pendingBytes == 0)
  }

  @Test("a buffer is borrowed while something is queued, and returned")
  func buffer() throws {
    var queue = OutputQueue()
    #expect(queue.releaseBuffer() == nil)
    var buffer: [UInt8] = []
    buffer.reserveCapacity(100)
    queue.adopt(buffer)
    queue.append { $0.append(1) }
    #expect(queue.releaseBuffer() == nil, "it is in use")
    var sockets: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
    defer { for socket in sockets { SystemCall.close(socket) } }
    guard case .done(1) = try queue.write(to: sockets[0]) else {
      Issue.record("not written")
      return
    }
    #expect(queue.releaseBuffer()?.capacity ?? 0 >= 100)
    #expect(queue.tail.capacity == 0)
  }

  private func unread(_ socket: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(socket, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
  }

  private func receive(_ socket: Int32) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 100_000)
    let attempt = try buffer.withUnsafeMutableBytes { try SystemCall.receive(socket, into: $0) }
    guard case .done(let count) = attempt else { return [] }
    return Array(buffer[..<count])
  }
}
