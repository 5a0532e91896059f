import HTTP

/// One input of the fuzzer: the same bytes whole, byte by byte, and in pieces must have one outcome.
package enum Trial {
  /// Small, so that inputs of a few hundred bytes reach every bound.
  private static var tight: Limits {
    var limits = Limits()
    limits.targetBytes = 64
    limits.fieldBytes = 256
    limits.fieldCount = 8
    limits.bodyBytes = 128
    limits.chunkExtensionBytes = 32
    return limits
  }

  /// Traps when an invariant does not hold. The first byte chooses the limits and the cuts.
  package static func run(_ input: UnsafeBufferPointer<UInt8>) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    let limits = choice & 1 == 0 ? Limits() : tight
    func check(_ condition: Bool, _ text: @autoclosure () -> String) {
      if !condition { fatalError(text()) }
    }
    let whole = Exchange(bytes, cuts: [bytes.count], limits: limits, check: check)
    let single = Exchange(bytes, cuts: 0...bytes.count, limits: limits, looksInside: false, check: check)
    check(single == whole, "byte by byte: \(single)\nwhole: \(whole)")
    let step = Int(choice >> 1) + 2
    var cuts = Array(stride(from: step, to: bytes.count, by: step))
    cuts.append(bytes.count)
    let pieces = Exchange(bytes, cuts: cuts, limits: limits, looksInside: false, check: check)
    check(pieces == whole, "in pieces of \(step): \(pieces)\nwhole: \(whole)")
  }
}
