/// A PNG in two colours, one bit per pixel, in stored deflate blocks (PNG specification; RFC 1950, RFC 1951 section
/// 3.2.4). Without compression there is nothing to link, and a picture 80 pixels wide takes a kilobyte.
enum PNG {
  /// A colour, 8 bits per channel.
  typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

  /// A square picture with `ink` where `isInk(x, y)` is true.
  static func encode(size: Int, paper: Colour, ink: Colour, isInk: (Int, Int) -> Bool) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<size {
      rows.append(0)  // no filter
      for start in stride(from: 0, to: size, by: 8) {
        var byte: UInt8 = 0
        for x in start..<min(start + 8, size) where isInk(x, y) { byte |= 0x80 >> UInt8(x - start) }
        rows.append(byte)
      }
    }
    let header = bigEndian(UInt32(size)) + bigEndian(UInt32(size)) + [1, 3, 0, 0, 0]
    let palette = [paper.red, paper.green, paper.blue, ink.red, ink.green, ink.blue]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("PLTE", palette)
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(checksum(body))
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      stream += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
      stream += block
    } while !rest.isEmpty
    return stream + bigEndian(adler(bytes))
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes { crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
    return ~crc
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
