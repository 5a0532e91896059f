/// Writes a head into memory of known size. Appending to an array would check uniqueness and capacity for each piece, a
/// twelfth of the instructions of a small response.
struct HeadWriter {
  private let memory: UnsafeMutableBufferPointer<UInt8>
  /// The bytes written so far.
  private(set) var count = 0

  /// A writer into `memory`, which must outlive it.
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    self.memory = memory
  }

  var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: memory[..<count]) }

  @inline(__always)
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Writing more than the measured size is a bug and must trap.
    precondition(bytes.count <= memory.count - count, "the head is larger than it was measured")
    guard let source = bytes.baseAddress, let start = memory.baseAddress else { return }
    (start + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  mutating func write(_ text: StaticString) {
    write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func write(_ text: String) {
    // A contiguous copy would be retained and released; the texts of heads are contiguous already.
    if text.utf8.withContiguousStorageIfAvailable({ write($0) }) == nil {
      write(Array(text.utf8))
    }
  }

  @inline(__always)
  mutating func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write($0) }
  }

  /// A non-negative number in decimal, at most 19 digits.
  mutating func write(decimal number: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = 0x30 + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      write(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
