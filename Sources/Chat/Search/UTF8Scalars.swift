/// A text's scalars by their offsets in bytes: stepping through a string's own indices costs several times as much.
struct UTF8Scalars {
  /// Valid UTF-8, for as long as `read` runs.
  let bytes: UnsafeBufferPointer<UInt8>

  /// Gives `body` the scalars of `text`.
  static func read<Result>(_ text: String, _ body: (UTF8Scalars) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(UTF8Scalars(bytes: $0)) }
  }

  /// The length in bytes.
  var count: Int { bytes.count }

  /// The scalar that begins at an offset.
  subscript(offset: Int) -> Unicode.Scalar {
    let byte = bytes[offset]
    if byte < 0x80 { return Unicode.Scalar(byte) }
    var value = UInt32(byte & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07))
    for index in offset + 1..<index(after: offset) { value = value << 6 | UInt32(bytes[index] & 0x3F) }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Where the scalar after the one at `offset` begins.
  func index(after offset: Int) -> Int {
    let byte = bytes[offset]
    return offset + (byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4)
  }

  /// So many scalars on, or the end.
  func index(_ offset: Int, movedBy distance: Int) -> Int {
    var (offset, rest) = (offset, distance)
    while rest > 0, offset < count { (offset, rest) = (index(after: offset), rest - 1) }
    return offset
  }

  /// So many scalars back, or the beginning.
  func index(_ offset: Int, movedBackBy distance: Int) -> Int {
    var (offset, rest) = (offset, distance)
    while rest > 0, offset > 0 {
      repeat { offset -= 1 } while bytes[offset] & 0xC0 == 0x80
      rest -= 1
    }
    return offset
  }

  /// Where the first scalar of a kind begins.
  func firstIndex(in range: Range<Int>, where isWanted: (Unicode.Scalar) -> Bool) -> Int? {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if isWanted(self[offset]) { return offset }
      offset = index(after: offset)
    }
    return nil
  }

  /// A part of the text.
  func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}
