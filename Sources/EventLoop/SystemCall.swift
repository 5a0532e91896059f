import CLinux
import Glibc

/// The one place where the system is called: EINTR is retried, "would block" is a value, what only a bug can cause
/// traps, and everything else is a `SystemError`.
public enum SystemCall {
  /// What became of a call on a descriptor that does not block.
  public enum Attempt<Value> {
    /// It was carried out.
    case done(Value)
    /// Not now; epoll tells when.
    case wouldBlock
  }

  /// Makes a call that may not block, and sorts its outcomes.
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

  /// Makes a call to which "would block" is just another failure.
  @inline(__always) @discardableResult
  static func require<Result: FixedWidthInteger>(
    _ call: StaticString, _ body: () -> Result
  ) throws(SystemError) -> Result {
    switch try attempt(call, body) {
    case .done(let result): return result
    case .wouldBlock: throw SystemError(code: EAGAIN, call: "\(call)")
    }
  }

  /// A closed or foreign descriptor and a bad pointer are bugs: going on would harm another connection.
  private static func trapIfBug(_ code: Int32, _ call: StaticString) {
    precondition(code != EBADF && code != EFAULT && code != ENOTSOCK, "\(call) failed with errno \(code)")
  }

  /// Closes a descriptor. Never retried: Linux frees the number even when it reports EINTR, and the other errors
  /// (of network file systems) leave nothing to be done.
  public static func close(_ descriptor: Int32) {
    let result = Glibc.close(descriptor)
    precondition(result == 0 || errno != EBADF, "closed twice: descriptor \(descriptor)")
  }

  // MARK: Reading and writing

  /// Receives what has arrived, at most `buffer.count` bytes; 0 is the end of the peer's data.
  public static func receive(
    _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Attempt<Int> {
    try attempt("recv") { recv(socket, buffer.baseAddress, buffer.count, 0) }
  }

  /// Sends as much of `buffer` as the socket takes now, without a SIGPIPE. `more` holds a last partial segment back
  /// for what follows.
  public static func send(
    _ socket: Int32, _ buffer: UnsafeRawBufferPointer, more: Bool = false
  ) throws(SystemError) -> Attempt<Int> {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    return try attempt("send") { Glibc.send(socket, buffer.baseAddress, buffer.count, flags) }
  }

  /// Sends as much of several buffers as the socket takes now: `writev` without a SIGPIPE.
  public static func send(
    _ socket: Int32, gathering buffers: UnsafeMutableBufferPointer<iovec>, more: Bool = false
  ) throws(SystemError) -> Attempt<Int> {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    var message = msghdr()
    message.msg_iov = buffers.baseAddress
    message.msg_iovlen = buffers.count
    return try attempt("sendmsg") { sendmsg(socket, &message, flags) }
  }

  /// Sends a part of a file from the page cache. SIGPIPE must be blocked on the calling thread, as on every loop's.
  public static func sendFile(
    _ file: Int32, offset: Int, count: Int, to socket: Int32
  ) throws(SystemError) -> Attempt<Int> {
    var position = off_t(offset)
    return try attempt("sendfile") { sendfile(socket, file, &position, count) }
  }

  /// Reads `count` bytes of a file from `offset` on, fewer only where the file ends before.
  public static func read(_ file: Int32, offset: Int, count: Int) throws(SystemError) -> [UInt8] {
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

  /// Opens a regular file for reading, and tells its size in bytes and the time of its last change in seconds since
  /// 1970. A symbolic link in the last component (ELOOP) and anything but a regular file (EINVAL) are refused.
  public static func openRegularFile(
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
  /// Raises the limit of open descriptors to what the system allows this process; many systems start one with 1,024.
  /// - Returns: the limit that holds then.
  @discardableResult
  public static func raiseDescriptorLimit() -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 0 }
    var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    if setrlimit(files, &raised) == 0 { limit = raised }
    return Int(clamping: limit.rlim_cur)
  }
}
