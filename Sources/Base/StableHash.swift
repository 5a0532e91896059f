/// 64-bit FNV-1a: the same in every run, unlike `Hasher`. Collisions are easy to construct, so it must not protect
/// anything.
package struct StableHash {
  /// The hash of the bytes added so far.
  package var value: UInt64

  @inlinable
  package init(seed: UInt64 = 0) {
    value = 0xCBF2_9CE4_8422_2325 ^ seed
  }

  package init(of bytes: some Sequence<UInt8>, seed: UInt64 = 0) {
    self.init(seed: seed)
    add(bytes)
  }

  /// Adds the bytes. Not inlinable: other modules call the copy compiled here for any sequence. Contiguous bytes are
  /// read directly, since a call per byte took a third of the program's start.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    let contiguous: Void? = bytes.withContiguousStorageIfAvailable { for byte in $0 { add(byte) } }
    guard contiguous == nil else { return }
    for byte in bytes { add(byte) }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The number of digits of `hexadecimal`.
  package static let digits = 16

  /// `value` as 16 hexadecimal digits, with leading zeros.
  package var hexadecimal: String { Self.hexadecimal(value) }

  /// The number as 16 hexadecimal digits, with leading zeros.
  package static func hexadecimal(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
