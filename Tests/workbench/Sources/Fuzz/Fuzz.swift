import FuzzSupport

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Trial.run(UnsafeBufferPointer(start: start, count: count))
  return 0
}
