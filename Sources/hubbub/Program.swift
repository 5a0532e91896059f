import ArgumentParser
import Base
import ChatSQLite
import Dispatch
import EventLoop
import Foundation
import Glibc
import HTTP
import HTTPServer
import Logging

/// One run of `hubbub serve`, from settings to an exit code (`sysexits.h`).
struct Program {
  private static let portTaken = ExitCode(69)
  private static let dataUnusable = ExitCode(73)

  private let settings: Settings
  private let logger: Logger

  init(_ settings: Settings) throws {
    guard let level = Logger.Level(rawValue: settings.logLevel) else {
      throw ValidationError(
        "The log level \"\(settings.logLevel)\" is unknown; it takes trace, debug, info, notice, warning, error or critical."
      )
    }
    self.settings = settings
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "hubbub")
    logger.logLevel = level
    self.logger = logger
  }

  /// Runs until SIGTERM or SIGINT, then stops in order. On failure prints one line that says what to do, and throws an
  /// exit code.
  func run() throws {
    umask(0o077)
    let descriptors = SystemCall.raiseDescriptorLimit()
    if descriptors < settings.limits.connections {
      logger.warning("the system allows \(descriptors) descriptors, fewer than the configured number of connections")
    }
    // Block the signals before the first thread starts, so that all threads inherit this and only `sigwait` receives
    // them.
    SignalSource.block([SIGTERM, SIGINT])
    let instance = try open()
    let port: Int
    do {
      port = try instance.start()
    } catch {
      try blocking { await instance.stop() }
      throw fail(Program.portTaken, portMessage(error))
    }
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    print("Hubbub is listening on http://\(host):\(port)")
    fflush(nil)
    let damage = Lock<StoreOpenError?>(nil)
    instance.checkInBackground { error in
      damage.withLock { $0 = error }
      // Signal the process, whose main thread waits for it, to stop it in order.
      kill(getpid(), SIGTERM)
    }
    Program.waitForSignal()
    logger.notice("stopping")
    try blocking { await instance.stop() }
    if let error = damage.withLock({ $0 }) { throw fail(Program.dataUnusable, "\(error)") }
  }

  private func open() throws -> Instance {
    do {
      return try blocking { [settings, logger] in try await Instance(settings, logger: logger) }
    } catch let problem as Settings.Problem {
      throw ValidationError(problem.description)
    } catch let error as StoreOpenError {
      throw fail(Program.dataUnusable, "\(error)")
    } catch {
      throw fail(
        Program.dataUnusable,
        "The data in \(settings.data) cannot be opened: \(error). Check that the folder exists and that you may write there."
      )
    }
  }

  private func portMessage(_ error: any Error) -> String {
    "Cannot listen on \(settings.host):\(settings.port): \(error). Stop what listens there, or choose another --port."
  }

  private func fail(_ code: ExitCode, _ message: String) -> ExitCode {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    return code
  }

  private static func waitForSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
  }
}

/// Runs async work from the main thread and blocks until it is done.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let result = Lock<Result<Value, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    done.signal()
  }
  done.wait()
  guard let outcome = result.withLock({ $0 }) else { preconditionFailure("the task signals after it has set a result") }
  return try outcome.get()
}
