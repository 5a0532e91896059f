/// Pictures as far as a server reads them.
enum Pictures {
  /// The header of a PNG; `salt` makes it a different file.
  static func png(_ width: Int, _ height: Int, salt: UInt8 = 0) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + number(width)
      + number(height) + [8, 6, 0, 0, 0, 1, 2, 3, 4, salt]
  }

  /// The header of a GIF and a frame.
  static let gif =
    Array("GIF89a".utf8) + [2, 0, 3, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 3, 0, 0, 2, 1, 0x44, 0, 0x3B]
}
