/// FNV-1a in 64 bits with a final mix: the same in every run, which Swift's own hashing is not.
enum StableHash {
  static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
    var hash = 0xcbf2_9ce4_8422_2325 ^ seed
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return mix(hash)
  }

  /// Spreads small differences over all bits (the finaliser of SplitMix64).
  static func mix(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9e37_79b9_7f4a_7c15
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// 32 hexadecimal digits, for an ETag.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    [UInt64(0), 1].map { seed in
      let text = String(of(bytes, seed: seed), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
  }
}
