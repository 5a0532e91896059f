import Base

/// Pseudo-random numbers that are the same in every run.
enum SeededHash {
  /// Spreads small differences over all bits (SplitMix64's finaliser).
  static func mix(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9e37_79b9_7f4a_7c15
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// 32 hexadecimal digits, for an ETag.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    [0, 1].map { StableHash.hexadecimal(mix(StableHash(of: bytes, seed: $0).value)) }.joined()
  }
}
