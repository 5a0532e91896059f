/// The default avatar, drawn like GitHub's: five by five mirrored cells in one colour on light grey. The grey encodes
/// the account's id: red, green and blue are 240 plus the id's three lowest hexadecimal digits, the lowest in red.
/// Tests read the corner pixel and the width.
enum Identicon {
  /// The picture for an account id, `size` pixels wide.
  static func png(for number: Int64, size: Int) -> [UInt8] {
    let hash = SeededHash.mix(UInt64(bitPattern: number))
    let cell = max(1, size / 6)
    let margin = (size - 5 * cell) / 2
    let fields = pattern(hash)
    let digits = [0, 4, 8].map { UInt8(0xF0 | number >> $0 & 0xF) }
    return PNG.encode(size: size, paper: (digits[0], digits[1], digits[2]), ink: colour(hash)) { x, y in
      guard x >= margin, y >= margin else { return false }
      let column = (x - margin) / cell
      let row = (y - margin) / cell
      return column < 5 && row < 5 && fields[row * 3 + min(column, 4 - column)]
    }
  }

  /// Fifteen cells row by row: the left half and the middle column. Never nearly empty, never nearly full.
  private static func pattern(_ hash: UInt64) -> [Bool] {
    var bits = hash
    while true {
      let fields = (0..<15).map { bits >> UInt64($0) & 1 == 1 }
      if (5...10).contains(fields.count(where: { $0 })) { return fields }
      bits = SeededHash.mix(bits)
    }
  }

  /// A muted colour: any hue, saturation 45–65 %, lightness 50–65 %.
  private static func colour(_ hash: UInt64) -> PNG.Colour {
    let hue = Double((hash >> 20) % 360) / 60
    let saturation = 0.45 + Double(hash >> 32 & 0xFF) / 255 * 0.2
    let lightness = 0.5 + Double(hash >> 40 & 0xFF) / 255 * 0.15
    let chroma = (1 - abs(2 * lightness - 1)) * saturation
    let second = chroma * (1 - abs(hue.truncatingRemainder(dividingBy: 2) - 1))
    let parts: (Double, Double, Double) =
      switch Int(hue) {
      case 0: (chroma, second, 0)
      case 1: (second, chroma, 0)
      case 2: (0, chroma, second)
      case 3: (0, second, chroma)
      case 4: (second, 0, chroma)
      default: (chroma, 0, second)
      }
    let base = lightness - chroma / 2
    func channel(_ part: Double) -> UInt8 { UInt8(((part + base) * 255).rounded()) }
    return (channel(parts.0), channel(parts.1), channel(parts.2))
  }
}
