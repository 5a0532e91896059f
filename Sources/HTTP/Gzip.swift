internal import CZlib

/// The gzip content coding (RFC 9110 section 8.4.1.3, RFC 1952), over zlib.
package enum Gzip {
  /// How much time to spend on compression.
  package enum Effort: Int32, Sendable {
    /// For a single response: 6 to 15 ms per megabyte; the output is 5 % larger than with `thorough`.
    case quick = 4
    /// For content compressed once and sent often: 30 to 80 ms per megabyte.
    case thorough = 9
  }

  /// Compresses `bytes` to one gzip member without name or time, so that equal content gives equal bytes, as a strong
  /// entity tag requires. Uses 270 KB of memory while it runs.
  ///
  /// - Returns: nil if zlib gets no memory; the content can then be sent uncompressed.
  package static func encode(_ bytes: [UInt8], effort: Effort) -> [UInt8]? {
    // zlib checks the stream's address, so it must not move, as a local variable might.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // A window of 15 bits; 16 selects gzip's header and trailer instead of zlib's.
    let started = deflateInit2_(
      stream, effort.rawValue, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    // With this bound one call suffices, however badly the content compresses.
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    guard let available = UInt32(exactly: bound) else { return nil }
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        // zlib declares its input mutable but only reads it.
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
