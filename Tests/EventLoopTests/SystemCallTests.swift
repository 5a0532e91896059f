import Base
import Glibc
import Testing

@testable import EventLoop

@Suite("System calls")
struct SystemCallTests {
  @Test("\"would block\" is a value, the end of data is zero bytes")
  func receive() throws {
    let pair = SocketPair()
    defer { pair.closeNear() }
    #expect(try receive(pair.near) == nil)
    pair.write("abc")
    #expect(try receive(pair.near) == "abc")
    pair.closeFar()
    #expect(try receive(pair.near)?.isEmpty == true)
  }

  @Test("writing to a closed connection is an error, not a signal; also by sendfile on a loop")
  func brokenPipe() async throws {
    let pair = SocketPair()
    defer { pair.closeNear() }
    pair.closeFar()
    let error = #expect(throws: SystemError.self) {
      try "x".withCString { _ = try SystemCall.send(pair.near, UnsafeRawBufferPointer(start: $0, count: 1)) }
    }
    #expect(error?.code == EPIPE)
    try await withLoop { loop in
      let code = try await loop.run {
        let file = try SystemCall.openRegularFile("/proc/self/exe".resolvingLink)
        defer { SystemCall.close(file.descriptor) }
        do throws(SystemError) {
          _ = try SystemCall.sendFile(file.descriptor, offset: 0, count: 10, to: pair.near)
          return Int32(0)
        } catch {
          return error.code
        }
      }
      #expect(code == EPIPE)
    }
  }

  @Test("several buffers are sent by one call and in order; a full socket is a value")
  func gather() throws {
    let pair = SocketPair()
    defer { pair.close() }
    try "Hello, ".withCString { first in
      try "world".withCString { second in
        var vectors = [
          iovec(iov_base: UnsafeMutableRawPointer(mutating: first), iov_len: 7),
          iovec(iov_base: UnsafeMutableRawPointer(mutating: second), iov_len: 5),
        ]
        try vectors.withUnsafeMutableBufferPointer { vectors in
          guard case .done(12) = try SystemCall.send(pair.far, gathering: vectors) else {
            Issue.record("not written whole")
            return
          }
        }
      }
    }
    #expect(try receive(pair.near) == "Hello, world")
    let chunk = [UInt8](repeating: 0, count: 65536)
    var isFull = false
    for _ in 0..<1000 where !isFull {
      try chunk.withUnsafeBytes { if case .wouldBlock = try SystemCall.send(pair.far, $0) { isFull = true } }
    }
    #expect(isFull)
  }

  @Test("only regular files are opened, no symbolic links, and reading stops at the end")
  func files() throws {
    let directory = "/tmp/hubbub-systemcall-\(getpid())"
    mkdir(directory, 0o700)
    let (file, link, pipe) = ("\(directory)/file", "\(directory)/link", "\(directory)/pipe")
    defer { for path in [file, link, pipe, directory] { remove(path) } }
    let created = creat(file, 0o600)
    #expect(write(created, "0123456789", 10) == 10)
    SystemCall.close(created)
    symlink(file, link)
    mkfifo(pipe, 0o600)

    let opened = try SystemCall.openRegularFile(file)
    defer { SystemCall.close(opened.descriptor) }
    #expect(opened.size == 10)
    #expect(opened.modificationTime > 1_600_000_000)
    #expect(try SystemCall.read(opened.descriptor, offset: 3, count: 4) == Array("3456".utf8))
    #expect(try SystemCall.read(opened.descriptor, offset: 8, count: 4) == Array("89".utf8))
    for (path, code) in [(link, ELOOP), (pipe, EINVAL), (directory, EINVAL), (directory + "/none", ENOENT)] {
      let error = #expect(throws: SystemError.self) { try SystemCall.openRegularFile(path) }
      #expect(error?.code == code, "\(path)")
    }
  }

  @Test("a call on a closed descriptor traps")
  func trap() async {
    await #expect(processExitsWith: .failure) { SystemCall.close(4321) }
    await #expect(processExitsWith: .failure) {
      _ = try SystemCall.receive(4321, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
  }

  @Test("the limit of descriptors is raised to the hard limit")
  func descriptorLimit() {
    let limit = SystemCall.raiseDescriptorLimit()
    #expect(limit > 0 && SystemCall.raiseDescriptorLimit() == limit)
  }

  @Test("errors carry the system's message")
  func errors() {
    let error = SystemError(code: EADDRINUSE, call: "bind")
    #expect(error.description == "bind: Address already in use (98)")
    #expect(error.isAddressInUse)
    #expect(!error.isShortOfDescriptors)
    #expect(SystemError(code: EMFILE, call: "accept4").isShortOfDescriptors)
    #expect(SystemError(code: ENFILE, call: "accept4").isShortOfDescriptors)
  }

  @Test(
    "addresses are written without their port, and an IPv4 client of an IPv6 socket as IPv4",
    arguments: [("127.0.0.1", "127.0.0.1"), ("2001:db8::1", "2001:db8::1"), ("::ffff:192.0.2.7", "192.0.2.7")])
  func addresses(literal: String, written: String) throws {
    let address = try SocketAddress(host: literal, port: 8080)
    #expect(address.host == written)
    #expect(address.port == 8080)
    #expect(throws: SystemError.self) { try SocketAddress(host: "no such host", port: 1) }
  }

  @Test("a lock excludes other threads")
  func lock() async {
    let count = Lock(0)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
      }
    }
    #expect(count.withLock { $0 } == 8000)
  }

  private func receive(_ socket: Int32) throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 100)
    let attempt = try buffer.withUnsafeMutableBytes { try SystemCall.receive(socket, into: $0) }
    guard case .done(let count) = attempt else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

extension String {
  /// The target of the symbolic link at this path.
  fileprivate var resolvingLink: String {
    guard let resolved = realpath(self, nil) else { return self }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
