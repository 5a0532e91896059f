import Testing

@testable import hubbub

@Suite("The code that starts the program")
struct StartUpCodeTests {
  @Test("is that of files, which is executed and never written")
  func regions() {
    let maps = """
      55d0c0000000-55d0c0400000 r--p 00000000 fe:00 1234                       /srv/hubbub/hubbub
      55d0c0400000-55d0c1400000 r-xp 00400000 fe:00 1234                       /srv/hubbub/hubbub
      55d0c1400000-55d0c1500000 rw-p 01400000 fe:00 1234                       /srv/hubbub/hubbub
      55d0c2000000-55d0c2100000 rw-p 00000000 00:00 0                          [heap]
      7f0000000000-7f0000001000 rwxp 00000000 fe:00 77                         /srv/odd library.so
      7f0000100000-7f0000180000 r-xp 00000000 fe:00 78                         /srv/a library (deleted)
      7f0000200000-7f0000201000 r-xp 00000000 00:00 0 
      7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0                          [vdso]
      nonsense
      """
    #expect(
      StartUpCode.regions(in: maps) == [0x55d0_c040_0000..<0x55d0_c140_0000, 0x7f00_0010_0000..<0x7f00_0018_0000])
    #expect(StartUpCode.regions(in: "").isEmpty)
  }

  @Test("is not resident any more once it was given back, and can be run again")
  func givenBack() {
    let before = ProcessFigures.residentBytes
    StartUpCode.giveBack()
    let after = ProcessFigures.residentBytes
    #expect(after < before - 4_000_000, "a test's process has megabytes of code: \(before) and \(after) bytes")
    #expect(ProcessFigures.descriptors > 2)
  }
}
