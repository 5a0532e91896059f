import Base
import EventLoop
import Glibc

/// A connection's output in order: its own bytes, bytes shared with other connections, and parts of files.
///
/// Heads and small bodies are collected in `tail`; large bodies and shared frames are referenced, not copied, and sent
/// with their neighbours by one `sendmsg`.
struct OutputQueue {
  private enum Segment {
    case bytes([UInt8])
    case shared(SharedBytes)
    case file(FileBody)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .shared(let frame): frame.count
      case .file(let file): file.count
      }
    }
  }

  private var segments: [Segment] = []
  /// The first unwritten segment, and how much of it has been written.
  private var first = 0
  private var offset = 0
  /// Bytes after the segments.
  private(set) var tail: [UInt8] = []
  /// The unwritten bytes.
  private(set) var pendingBytes = 0

  /// Smaller bodies are copied after their head, which costs less than another buffer in the system call.
  private static let copiedBytes = 8192
  private static let vectors = 64

  var isEmpty: Bool { pendingBytes == 0 }

  /// Appends to the tail through `write`.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let before = tail.count
    write(&tail)
    pendingBytes += tail.count - before
  }

  mutating func append(_ bytes: [UInt8]) {
    if bytes.count <= Self.copiedBytes {
      append { $0 += bytes }
    } else {
      append(.bytes(bytes))
    }
  }

  mutating func append(_ frame: SharedBytes) {
    if frame.count > 0 { append(.shared(frame)) }
  }

  mutating func append(_ file: FileBody) {
    if file.count > 0 { append(.file(file)) }
  }

  private mutating func append(_ segment: Segment) {
    sealTail()
    segments.append(segment)
    pendingBytes += segment.count
  }

  private mutating func sealTail() {
    if tail.isEmpty { return }
    segments.append(.bytes(tail))
    tail = []
  }

  /// Uses `buffer`, an empty array with capacity, as the tail if it has none.
  mutating func adopt(_ buffer: consuming [UInt8]) {
    if tail.capacity == 0 { tail = buffer }
  }

  /// Returns the tail's capacity when nothing is queued.
  mutating func releaseBuffer() -> [UInt8]? {
    guard isEmpty, tail.capacity > 0 else { return nil }
    var buffer: [UInt8] = []
    swap(&buffer, &tail)
    return buffer
  }

  /// Writes as much as one system call can.
  /// - Returns: the bytes written, or that the call would block.
  mutating func write(to socket: Int32) throws(SystemError) -> SystemCall.Attempt<Int> {
    let attempt: SystemCall.Attempt<Int>
    if let single {
      attempt = try OutputQueue.send(single, from: offset, to: socket)
    } else if case .file(let file) = segments[first] {
      attempt = try SystemCall.sendFile(
        file.file.descriptor, offset: file.offset + offset, count: file.count - offset, to: socket)
      // The file was truncated after it was opened: the announced length cannot be kept.
      if case .done(0) = attempt { throw SystemError(code: EIO, call: "sendfile") }
    } else {
      attempt = try writeGathered(to: socket)
    }
    if case .done(let count) = attempt { advance(by: count) }
    return attempt
  }

  /// The queued bytes if they are contiguous, as for most responses and events: `send` costs the kernel a tenth less
  /// than `sendmsg`.
  private var single: [UInt8]? {
    if first == segments.count { return tail }
    guard first == segments.count - 1, tail.isEmpty else { return nil }
    switch segments[first] {
    case .bytes(let bytes): return bytes
    case .shared(let frame): return frame.bytes
    case .file: return nil
    }
  }

  private static func send(
    _ bytes: [UInt8], from offset: Int, to socket: Int32
  ) throws(SystemError) -> SystemCall.Attempt<Int> {
    try bytes.withUnsafeBytes { (bytes) -> Result<SystemCall.Attempt<Int>, SystemError> in
      Result { () throws(SystemError) in
        try SystemCall.send(socket, UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      }
    }.get()
  }

  private func writeGathered(to socket: Int32) throws(SystemError) -> SystemCall.Attempt<Int> {
    try withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.vectors) { vectors in
      gather(from: first, into: vectors, count: 0) { count, more in
        Result { () throws(SystemError) in
          let filled = UnsafeMutableBufferPointer(rebasing: vectors[..<count])
          return try SystemCall.send(socket, gathering: filled, more: more)
        }
      }
    }.get()
  }

  /// Fills `vectors` recursively, with a nested `withUnsafeBytes` per segment, so that all pointers are valid while
  /// `body` runs. `body` receives whether a file follows.
  private func gather<Outcome>(
    from index: Int, into vectors: UnsafeMutableBufferPointer<iovec>, count: Int, _ body: (Int, Bool) -> Outcome
  ) -> Outcome {
    if count == vectors.count || index > segments.count { return body(count, false) }
    let bytes: [UInt8]
    if index == segments.count {
      if tail.isEmpty { return body(count, false) }
      bytes = tail
    } else {
      switch segments[index] {
      case .bytes(let own): bytes = own
      case .shared(let frame): bytes = frame.bytes
      case .file: return body(count, true)
      }
    }
    return bytes.withUnsafeBytes { bytes in
      let skipped = index == first ? offset : 0
      vectors[count] = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.advanced(by: skipped),
        iov_len: bytes.count - skipped)
      return gather(from: index + 1, into: vectors, count: count + 1, body)
    }
  }

  private mutating func advance(by written: Int) {
    pendingBytes -= written
    offset += written
    while first < segments.count, offset >= segments[first].count {
      offset -= segments[first].count
      first += 1
    }
    if first == segments.count {
      // Drop large capacity: most connections never need it again.
      if first > 0 { segments.removeAll(keepingCapacity: segments.count <= Self.vectors) }
      first = 0
      if offset == tail.count {
        tail.removeAll(keepingCapacity: true)
        offset = 0
      }
    } else if first >= Self.vectors {
      segments.removeFirst(first)
      first = 0
    }
  }
}
