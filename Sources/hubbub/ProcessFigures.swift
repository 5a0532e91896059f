import EventLoop
import FoundationEssentials
import Glibc

/// What the kernel says of this process.
enum ProcessFigures {
  /// Memory in use, in bytes; 0 where the kernel does not say.
  static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Open descriptors.
  static var descriptors: Int { (try? SystemCall.names(in: "/proc/self/fd").count) ?? 0 }

  /// Processor time of all threads so far, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
