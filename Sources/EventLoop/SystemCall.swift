import CLinux
import Glibc

/// Wraps all system calls: retries EINTR, returns "would block" as a value, traps on errors that only a bug can cause,
/// and throws `SystemError` for the rest.
package enum SystemCall {
  /// The outcome of a call on a non-blocking descriptor.
  package enum Attempt<Value> {
    case done(Value)
    /// The call would block; epoll reports when to try again.
    case wouldBlock
  }

  /// Makes a non-blocking call.
  @inline(__always)
  static func attempt<Result: FixedWidthInteger>(
    _ call: StaticString, _ body: () -> Result
  ) throws(SystemError) -> Attempt<Result> {
    while true {
      let result = body()
      if result >= 0 { return .done(result) }
      let code = errno
      if code == EINTR { continue }
      if code == EAGAIN { return .wouldBlock }
      trapIfBug(code, call)
      throw SystemError(code: code, call: "\(call)")
    }
  }

  /// Makes a call that treats "would block" as a failure.
  @inline(__always) @discardableResult
  static func require<Result: FixedWidthInteger>(
    _ call: StaticString, _ body: () -> Result
  ) throws(SystemError) -> Result {
    switch try attempt(call, body) {
    case .done(let result): return result
    case .wouldBlock: throw SystemError(code: EAGAIN, call: "\(call)")
    }
  }

  /// Traps on a closed or foreign descriptor and on a bad pointer: continuing would corrupt another connection.
  private static func trapIfBug(_ code: Int32, _ call: StaticString) {
    precondition(code != EBADF && code != EFAULT && code != ENOTSOCK, "\(call) failed with errno \(code)")
  }

  /// Closes a descriptor. Never retries: Linux frees the number even on EINTR, and other errors (of network file
  /// systems) cannot be handled.
  package static func close(_ descriptor: Int32) {
    let result = Glibc.close(descriptor)
    precondition(result == 0 || errno != EBADF, "closed twice: descriptor \(descriptor)")
  }

  // MARK: Reading and writing

  /// Receives up to `buffer.count` bytes; 0 is the end of the peer's data.
  package static func receive(
    _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Attempt<Int> {
    try attempt("recv") { recv(socket, buffer.baseAddress, buffer.count, 0) }
  }

  /// Sends as much of `buffer` as the socket accepts, without SIGPIPE. `more` delays a last partial segment.
  package static func send(
    _ socket: Int32, _ buffer: UnsafeRawBufferPointer, more: Bool = false
  ) throws(SystemError) -> Attempt<Int> {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    return try attempt("send") { Glibc.send(socket, buffer.baseAddress, buffer.count, flags) }
  }

  /// Sends as much of several buffers as the socket accepts: `writev` without SIGPIPE.
  package static func send(
    _ socket: Int32, gathering buffers: UnsafeMutableBufferPointer<iovec>, more: Bool = false
  ) throws(SystemError) -> Attempt<Int> {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    var message = msghdr()
    message.msg_iov = buffers.baseAddress
    message.msg_iovlen = buffers.count
    return try attempt("sendmsg") { sendmsg(socket, &message, flags) }
  }

  /// Sends a part of a file from the page cache. SIGPIPE must be blocked on the calling thread, as on every loop's.
  package static func sendFile(
    _ file: Int32, offset: Int, count: Int, to socket: Int32
  ) throws(SystemError) -> Attempt<Int> {
    var position = off_t(offset)
    return try attempt("sendfile") { sendfile(socket, file, &position, count) }
  }

  /// Reads `count` bytes of a file from `offset` on; returns fewer only at the end of the file.
  package static func read(_ file: Int32, offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        while filled < count, let start = buffer.baseAddress {
          let read = try require("pread") { pread(file, start + filled, count - filled, off_t(offset + filled)) }
          if read == 0 { return }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Opens a regular file for reading, with its size in bytes and modification time in seconds since 1970. Throws ELOOP
  /// for a symbolic link in the last component and EINVAL for anything but a regular file.
  package static func openRegularFile(
    _ path: String
  ) throws(SystemError) -> (descriptor: Int32, size: Int, modificationTime: Int) {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    let descriptor = try require("open") { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    var status = stat()
    do throws(SystemError) {
      try require("fstat") { fstat(descriptor, &status) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL, call: "open") }
    } catch {
      close(descriptor)
      throw error
    }
    return (descriptor, Int(status.st_size), Int(status.st_mtim.tv_sec))
  }
}

extension SystemCall {
  /// Raises the soft limit of open descriptors, often 1,024, to the hard limit.
  /// - Returns: the new limit.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 0 }
    var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    if setrlimit(files, &raised) == 0 { limit = raised }
    return Int(clamping: limit.rlim_cur)
  }
}
