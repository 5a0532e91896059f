import EventLoop
import Glibc

/// The code that ran to start the program: most of what is resident then, and of no use afterwards.
///
/// Starting goes once through the linker, the arguments, the schema, all assets and descriptions, and the kernel maps sixteen
/// pages around each that is touched. Giving them back unmaps them from this process, as the kernel would do where memory
/// is short; the files stay in its cache, so that code that is needed again costs a minor fault, not a read.
enum StartUpCode {
  /// Gives it back. Safe while other threads run: what they execute comes back by itself.
  static func giveBack() {
    guard let file = try? SystemCall.openRegularFile("/proc/self/maps").descriptor else { return }
    defer { SystemCall.close(file) }
    // The kernel hands it out a page at a time, and says that it has no size.
    guard let maps = try? SystemCall.read(file, offset: 0, count: 1 << 20) else { return }
    for region in regions(in: String(decoding: maps, as: UTF8.self)) {
      // Never written to, so nothing is lost (madvise(2), MADV_DONTNEED on a private mapping of a file).
      madvise(UnsafeMutableRawPointer(bitPattern: region.lowerBound), region.count, MADV_DONTNEED)
    }
  }

  /// The addresses of files' code in the text of `/proc/self/maps` (proc(5)): mapped to be executed, and not to be written,
  /// for what was once written to would be read from the file again.
  static func regions(in maps: String) -> [Range<UInt>] {
    maps.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, fields[1] == "r-xp", fields[5].contains("/") else { return nil }
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
      return bounds[0]..<bounds[1]
    }
  }
}
