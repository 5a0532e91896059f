/// A picture's format and size in pixels, read from its first bytes. Pure; decodes no pixels.
///
/// Does not limit sizes; callers compare them with their own limits.
package struct ImageHeader: Hashable, Sendable {
  /// The formats that every browser shows and that contain nothing but pixels; SVG is a document and thus excluded.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    /// PNG (W3C, third edition), animated or not.
    case png
    /// JPEG (ITU-T T.81).
    case jpeg
    /// WebP: lossy, lossless or extended (RFC 9649).
    case webp
    /// GIF (87a, 89a).
    case gif

    /// The media type.
    package var mediaType: String { "image/" + rawValue }
  }

  /// The result of reading a header.
  package enum Reading: Hashable, Sendable {
    /// A picture of known size.
    case header(ImageHeader)
    /// Starts like a picture, but ends before its size.
    case incomplete(Format)
    /// Starts like a picture, but violates its format.
    case invalid(Format)
    /// None of the formats.
    case unknown
  }

  /// The format.
  package let format: Format
  /// Pixels from left to right, at least 1.
  package let width: Int
  /// Pixels from top to bottom, at least 1.
  package let height: Int

  /// Reads the header of a whole file, or of its start.
  package static func read(_ bytes: [UInt8]) -> Reading {
    guard let format = format(of: bytes) else { return .unknown }
    var input = Input(bytes: bytes)
    do throws(Stop) {
      let size =
        switch format {
        case .png: try png(&input)
        case .jpeg: try jpeg(&input)
        case .webp: try webp(&input)
        case .gif: try gif(&input)
        }
      guard size.width > 0, size.height > 0 else { return .invalid(format) }
      return .header(ImageHeader(format: format, width: size.width, height: size.height))
    } catch {
      return error == .incomplete ? .incomplete(format) : .invalid(format)
    }
  }

  /// The format, from the first bytes alone.
  static func format(of bytes: [UInt8]) -> Format? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
    return nil
  }

  private typealias Size = (width: Int, height: Int)

  private enum Stop: Error {
    case incomplete
    case invalid
  }

  /// Bytes with a read position.
  private struct Input {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() throws(Stop) -> UInt8 {
      guard position < bytes.count else { throw .incomplete }
      defer { position += 1 }
      return bytes[position]
    }

    /// An unsigned number of `count` bytes, at most 7.
    mutating func number(_ count: Int, isBigEndian: Bool) throws(Stop) -> Int {
      var value = 0
      for index in 0..<count {
        let byte = Int(try byte())
        value = isBigEndian ? value << 8 | byte : value | byte << (8 * index)
      }
      return value
    }

    mutating func expect(_ expected: some Sequence<UInt8>) throws(Stop) {
      for byte in expected where try self.byte() != byte { throw .invalid }
    }

    /// Skips bytes; skipping beyond the end makes the next read fail.
    mutating func skip(_ count: Int) { position += count }
  }
}

// MARK: PNG and JPEG

extension ImageHeader {
  /// The signature and the IHDR chunk, which comes first and has 13 bytes (sections 5.2 and 11.2.1).
  private static func png(_ input: inout Input) throws(Stop) -> Size {
    input.skip(8)
    try input.expect([0, 0, 0, 13])
    try input.expect("IHDR".utf8)
    let size = (try input.number(4, isBigEndian: true), try input.number(4, isBigEndian: true))
    // Depth, colour type, three methods and the checksum: a picture that ends here is incomplete.
    input.skip(8)
    _ = try input.byte()
    return size
  }

  /// Marker segments up to the frame header (annex B). A thumbnail inside another segment is skipped with it.
  private static func jpeg(_ input: inout Input) throws(Stop) -> Size {
    input.skip(2)
    while true {
      try input.expect([0xFF])
      var marker = try input.byte()
      while marker == 0xFF { marker = try input.byte() }
      switch marker {
      case 0x01, 0xD0...0xD7:
        // These markers have no segment (B.1.1.3).
        continue
      case 0x00, 0xD8, 0xD9, 0xDA:
        // A scan, an end or another start before any frame is invalid.
        throw .invalid
      default:
        let length = try input.number(2, isBigEndian: true)
        guard length >= 2 else { throw .invalid }
        guard isFrame(marker) else {
          input.skip(length - 2)
          continue
        }
        guard length >= 8 else { throw .invalid }
        _ = try input.byte()
        let height = try input.number(2, isBigEndian: true)
        // A height of 0 is defined later, after the first scan (B.2.5); no browser supports that, and neither do we.
        return (try input.number(2, isBigEndian: true), height)
      }
    }
  }

  /// SOF0 to SOF15, except DHT, JPG and DAC (table B.1).
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }
}

// MARK: WebP and GIF

extension ImageHeader {
  /// The first chunk determines which of the three variants it is (RFC 9649 sections 2.3 to 2.7).
  private static func webp(_ input: inout Input) throws(Stop) -> Size {
    input.skip(12)
    let kind = try input.number(4, isBigEndian: false)
    input.skip(4)
    switch kind {
    case 0x2038_5056:  // "VP8 ", RFC 6386 section 9.1
      guard try input.number(3, isBigEndian: false) & 1 == 0 else { throw .invalid }
      try input.expect([0x9D, 0x01, 0x2A])
      let width = try input.number(2, isBigEndian: false) & 0x3FFF
      return (width, try input.number(2, isBigEndian: false) & 0x3FFF)
    case 0x4C38_5056:  // "VP8L", RFC 9649 section 3.4
      try input.expect([0x2F])
      let bits = try input.number(4, isBigEndian: false)
      guard bits >> 29 == 0 else { throw .invalid }
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    case 0x5838_5056:  // "VP8X", RFC 9649 section 2.7.1
      input.skip(4)
      let width = try input.number(3, isBigEndian: false) + 1
      return (width, try input.number(3, isBigEndian: false) + 1)
    default:
      throw .invalid
    }
  }

  /// The logical screen, extended by every frame that exceeds it, because some browsers enlarge it.
  private static func gif(_ input: inout Input) throws(Stop) -> Size {
    input.skip(6)
    var size = (width: try input.number(2, isBigEndian: false), height: try input.number(2, isBigEndian: false))
    let flags = try input.byte()
    input.skip(2)
    skipColours(flags, &input)
    var frames = 0
    while frames == 0 || !input.isAtEnd {
      switch try input.byte() {
      case 0x21:
        _ = try input.byte()
        try skipBlocks(&input, isWhole: frames == 0)
      case 0x2C:
        frames += 1
        let (left, top) = (try input.number(2, isBigEndian: false), try input.number(2, isBigEndian: false))
        size.width = max(size.width, left + (try input.number(2, isBigEndian: false)))
        size.height = max(size.height, top + (try input.number(2, isBigEndian: false)))
        skipColours(try input.byte(), &input)
        input.skip(1)
        try skipBlocks(&input, isWhole: false)
      case 0x3B where frames > 0:
        return size
      default:
        throw .invalid
      }
    }
    return size
  }

  /// A colour table of three bytes for each of 2 to 256 colours, if the flags say that there is one.
  private static func skipColours(_ flags: UInt8, _ input: inout Input) {
    if flags & 0x80 != 0 { input.skip(3 << (Int(flags & 7) + 1)) }
  }

  /// Data blocks up to the empty one; unless it must be complete, the end of the file ends it too.
  private static func skipBlocks(_ input: inout Input, isWhole: Bool) throws(Stop) {
    while isWhole || !input.isAtEnd {
      let length = Int(try input.byte())
      if length == 0 { return }
      input.skip(length)
    }
  }
}
