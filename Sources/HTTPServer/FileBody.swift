import EventLoop
import Glibc

/// A part of an open regular file, sent without a copy in user space.
package struct FileBody: Sendable {
  /// The file, open as long as a body refers to it.
  package let file: OpenFile
  /// The offset of the part in bytes.
  package let offset: Int
  /// The length of the part in bytes.
  package let count: Int

  /// A part of `file`, by default all of it. The part must lie within the file.
  package init(_ file: OpenFile, offset: Int = 0, count: Int? = nil) {
    precondition(offset >= 0 && offset <= file.size && (count ?? 0) <= file.size - offset, "outside of the file")
    self.file = file
    self.offset = offset
    self.count = count ?? (file.size - offset)
  }

  /// Reads the part into memory, for transports without a socket. Blocks on the disk.
  package func bytes() throws(SystemError) -> [UInt8] {
    try file.read(offset: offset, count: count)
  }
}

/// A regular file open for reading, closed with the last reference.
package final class OpenFile: Sendable {
  /// The descriptor, owned by this object.
  let descriptor: Int32
  /// The size in bytes when the file was opened.
  package let size: Int
  /// The modification time in whole seconds since 1970.
  package let modificationTime: Int

  /// Opens the regular file at `path`. Throws `ELOOP` for a symbolic link in the last component and `EINVAL` for
  /// anything but a regular file. Blocks on the disk.
  package init(path: String) throws(SystemError) {
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
    // The file was truncated after it was opened.
    guard bytes.count == count else { throw SystemError(code: EIO, call: "pread") }
    return bytes
  }
}
