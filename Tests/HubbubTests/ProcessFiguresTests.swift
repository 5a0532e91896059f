import Testing

@testable import hubbub

@Suite("Process figures from the kernel")
struct ProcessFiguresTests {
  @Test("Own memory grows with allocations, and the proportional size includes the pages of files")
  func memory() {
    // Far more than other tests free meanwhile.
    let size = 256 << 20
    let before = ProcessFigures.memory
    let bytes = [UInt8](repeating: 1, count: size)
    let after = ProcessFigures.memory
    #expect(bytes[bytes.count / 2] == 1 && after.own >= before.own + size / 2)
    #expect(before.own > 1 << 20 && before.proportional > before.own)
    #expect(ProcessFigures.descriptors > 2)
  }
}
