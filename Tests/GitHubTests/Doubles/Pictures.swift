/// The first bytes of pictures: enough to detect type and size.
enum Pictures {
  static let png = png(40, 40)
  static let otherPNG: [UInt8] = png + [2]
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 40, 0, 40]
  static let gif =
    Array("GIF89a".utf8) + [40, 0, 40, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 40, 0, 40, 0, 0, 2, 1, 0x44, 0, 0x3B]
  static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)
  static let webp =
    Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [
      10, 0, 0, 0, 0x10, 0, 0, 0x9D, 0x01, 0x2A, 40, 0, 40, 0,
    ]

  static func png(_ width: UInt16, _ height: UInt16) -> [UInt8] {
    let sides = [width, height].flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + sides
      + [8, 6, 0, 0, 0, 1, 2, 3, 4]
  }
}
