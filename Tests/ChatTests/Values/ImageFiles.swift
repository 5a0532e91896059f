/// Hand-made picture files: just enough of each format to define a size.
enum ImageFiles {
  static func png(_ width: Int, _ height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + big(width, 4) + big(height, 4)
      + [8, 6, 0, 0, 0, 1, 2, 3, 4]
  }

  /// With a comment, fill bytes, a table and a frame of the given kind.
  static func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC0) -> [UInt8] {
    let comment: [UInt8] = [0xFF, 0xFE, 0, 6, 0xFF, 0xC0, 1, 2]
    let table: [UInt8] = [0xFF, 0xFF, 0xFF, 0xC4, 0, 3, 9]
    return [0xFF, 0xD8] + comment + [0xFF, 0x01] + table + [0xFF, frame, 0, 11, 8] + big(height, 2) + big(width, 2)
  }

  static func lossyWebP(_ width: Int, _ height: Int) -> [UInt8] {
    riff("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width | 1 << 14, 2) + little(height, 2))
  }

  static func losslessWebP(_ width: Int, _ height: Int) -> [UInt8] {
    riff("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14 | 1 << 28, 4))
  }

  static func extendedWebP(_ width: Int, _ height: Int) -> [UInt8] {
    riff("VP8X", [0x10, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
  }

  /// With colour tables, a comment, and one frame that starts at `left`.
  static func gif(_ width: Int, _ height: Int, frame: (left: Int, width: Int)? = nil) -> [UInt8] {
    let (left, frameWidth) = frame ?? (0, width)
    return Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0] + [UInt8](repeating: 7, count: 6)
      + [0x21, 0xFE, 2, 65, 66, 0, 0x2C] + little(left, 2) + little(0, 2) + little(frameWidth, 2) + little(height, 2)
      + [0x81] + [UInt8](repeating: 7, count: 12) + [2, 1, 0x44, 0, 0x3B]
  }

  private static func riff(_ kind: String, _ chunk: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunk.count + 12, 4) + Array("WEBP".utf8) + Array(kind.utf8) + little(chunk.count, 4)
      + chunk
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }
}
