import EventLoop
import FoundationEssentials
import Glibc

/// This process's figures from the kernel.
enum ProcessFigures {
  /// Memory in bytes: `own` is anonymous (heap and stacks), which no other process can share; `proportional` adds
  /// mapped file pages, each divided by the number of processes that map it (proc(5), smaps_rollup). 0 if the kernel
  /// does not report it.
  static var memory: (own: Int, proportional: Int) {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    func size(_ name: String) -> Int {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    }
    return (size("Anonymous"), size("Pss"))
  }

  /// Open descriptors.
  static var descriptors: Int { (try? SystemCall.names(in: "/proc/self/fd").count) ?? 0 }

  /// Processor time of all threads, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
