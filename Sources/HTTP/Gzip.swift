internal import CZlib

/// The gzip content coding (RFC 9110 section 8.4.1.3, RFC 1952), over zlib.
public enum Gzip {
  /// How much time is spent on becoming smaller.
  public enum Effort: Int32, Sendable {
    /// For what is made for one answer: 6 to 15 ms a megabyte, a twentieth larger than it could be.
    case quick = 4
    /// For what is made once and sent often: 30 to 80 ms a megabyte.
    case thorough = 9
  }

  /// What `bytes` become as one gzip member, without a name or a time: the same content gives the same bytes, as a
  /// strong entity tag demands. Takes 270 KB of memory meanwhile.
  ///
  /// - Returns: nil where there is no memory for zlib: what was to be coded can be sent as it is.
  public static func encode(_ bytes: [UInt8], effort: Effort) -> [UInt8]? {
    // zlib keeps the stream's address and compares it: it must not move, as a local variable may.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // 15 bits of window, and 16 asks for gzip's head and trailer instead of zlib's.
    let started = deflateInit2_(
      stream, effort.rawValue, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    // With so much room, one call does it, however badly the content compresses.
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    guard let available = UInt32(exactly: bound) else { return nil }
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        // zlib declares its input mutable, but only reads it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = available
        let result = deflate(stream, Z_FINISH)
        precondition(result == Z_STREAM_END, "deflateBound was too low")
        count = bound - Int(stream.pointee.avail_out)
      }
    }
  }
}
