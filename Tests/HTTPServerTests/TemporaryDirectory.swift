import EventLoop
import Glibc
import Testing

/// A directory for one test, removed at its end.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/hubbub-test-XXXXXX".utf8CString)
    path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
  }

  deinit {
    TemporaryDirectory.remove(path)
  }

  private static func remove(_ path: String) {
    if (try? SystemCall.status(of: path))?.kind == .directory {
      for name in (try? SystemCall.names(in: path)) ?? [] { remove("\(path)/\(name)") }
    }
    Glibc.remove(path)
  }

  /// Writes a file; the directories above it are made.
  func write(_ name: String, _ text: String) throws {
    let parts = name.split(separator: "/")
    for count in 1..<max(parts.count, 1) {
      mkdir("\(path)/\(parts.prefix(count).joined(separator: "/"))", 0o755)
    }
    let file = try #require(fopen("\(path)/\(name)", "w"))
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  /// Sets a file's time of last change.
  func touch(_ name: String, seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, "\(path)/\(name)", [time, time], 0) == 0)
  }
}
