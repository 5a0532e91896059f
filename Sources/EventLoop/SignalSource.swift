import CLinux
import Glibc

/// Delivers signals to a loop through a signalfd.
///
/// A signal arrives only if every thread has it blocked: call `block` before starting any other thread.
package final class SignalSource: EventHandler {
  private let descriptor: Int32
  private let handler: (Int32) -> Void
  private let loop: EventLoop
  private var registration: Registration?

  /// Blocks `signals` in the calling thread and in threads it starts later.
  package static func block(_ signals: [Int32]) {
    var set = Self.set(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Calls `handler` on `loop` with the number of each signal that arrives. The loop retains the source until `cancel`.
  /// On the loop.
  package init(_ signals: [Int32], on loop: EventLoop, handler: @escaping (Int32) -> Void) throws(SystemError) {
    var set = Self.set(of: signals)
    descriptor = try SystemCall.require("signalfd") {
      signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
    }
    self.handler = handler
    self.loop = loop
    registration = try loop.register(descriptor, for: .readable, handler: self)
  }

  deinit {
    SystemCall.close(descriptor)
  }

  /// Stops listening. Later signals stay pending. On the loop.
  package func cancel() {
    guard let registration else { return }
    self.registration = nil
    loop.deregister(registration)
  }

  /// Reads one signal; the loop calls again while there are more.
  package func handle(_ events: Readiness) {
    var information = signalfd_siginfo()
    let count = withUnsafeMutableBytes(of: &information) { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count == MemoryLayout<signalfd_siginfo>.size { handler(Int32(bitPattern: information.ssi_signo)) }
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
