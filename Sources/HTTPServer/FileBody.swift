import EventLoop
import Glibc

/// A part of an open regular file, to be sent without passing through the program's memory.
public struct FileBody: Sendable {
  /// The file, kept open as long as any body refers to it.
  public let file: OpenFile
  /// Where the part begins, in bytes from the file's start.
  public let offset: Int
  /// The length of the part in bytes.
  public let count: Int

  /// A part of `file`: all of it, unless told otherwise. The part must lie within the file.
  public init(_ file: OpenFile, offset: Int = 0, count: Int? = nil) {
    precondition(offset >= 0 && offset <= file.size && (count ?? 0) <= file.size - offset, "outside of the file")
    self.file = file
    self.offset = offset
    self.count = count ?? (file.size - offset)
  }

  /// Reads the part into memory, for the transports that have no socket. Blocks on the disk.
  public func bytes() throws(SystemError) -> [UInt8] {
    try file.read(offset: offset, count: count)
  }
}

/// A regular file that is open for reading and closed when the last reference goes.
public final class OpenFile: Sendable {
  /// The descriptor, owned by this object.
  let descriptor: Int32
  /// The size in bytes when the file was opened.
  public let size: Int
  /// The time of the last change in whole seconds since 1970.
  public let modificationTime: Int

  /// Opens the regular file at `path`. A symbolic link in the last component is refused (`ELOOP`), as is anything but
  /// a regular file (`EINVAL`). Blocks on the disk.
  public init(path: String) throws(SystemError) {
    let opened = try SystemCall.openRegularFile(path)
    descriptor = opened.descriptor
    size = opened.size
    modificationTime = opened.modificationTime
  }

  deinit {
    SystemCall.close(descriptor)
  }

  func read(offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    let bytes = try SystemCall.read(descriptor, offset: offset, count: count)
    // Somebody has cut the file since it was opened.
    guard bytes.count == count else { throw SystemError(code: EIO, call: "pread") }
    return bytes
  }
}
