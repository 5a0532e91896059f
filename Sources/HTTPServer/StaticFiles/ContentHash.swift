/// FNV-1a with 64 bits: tells versions of the operator's own files apart. Nobody gains by making two of them meet, so
/// it need not resist that.
struct ContentHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The number of digits of `hexadecimal`.
  static let digits = 16

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: ContentHash.digits - digits.count) + digits
  }

  static func of(_ bytes: [UInt8]) -> String {
    var hash = ContentHash()
    bytes.withUnsafeBufferPointer { hash.update($0) }
    return hash.hexadecimal
  }
}
