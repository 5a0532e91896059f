/// Beginnings that tell picture types apart.
enum Pictures {
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
  static let otherPNG: [UInt8] = png + [2]
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
  static let gif = Array("GIF89a...".utf8)
  static let webp = Array("RIFF1234WEBPVP8 ".utf8)
}
