/// Generates request ids: a prefix that is random per loop and run, and a counter.
///
/// At most 15 characters, because strings of that length need no allocation.
struct RequestIdentifiers {
  private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
  private static let prefixLength = 6

  private let prefix: UInt64
  private var counter: UInt64 = 0

  init() {
    var random = SystemRandomNumberGenerator()
    prefix = random.next()
  }

  /// The next id.
  mutating func next() -> String {
    counter &+= 1
    let counter = counter
    return String(unsafeUninitializedCapacity: 15) { buffer in
      for index in 0..<Self.prefixLength { buffer[index] = Self.digit(prefix &>> UInt64(5 * index)) }
      var length = Self.prefixLength
      var rest = counter
      // Least significant digit first: the order does not matter, and this saves reversing.
      repeat {
        buffer[length] = Self.digit(rest)
        length += 1
        rest &>>= 5
      } while rest != 0 && length < 15
      return length
    }
  }

  @inline(__always)
  private static func digit(_ bits: UInt64) -> UInt8 {
    alphabet.utf8Start[Int(bits & 31)]
  }
}
