import Logging
import Synchronization

/// Keeps log entries in memory, one line each: level, message and the metadata sorted by key.
package final class RecordedLog: Sendable {
  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let line = (["\(event.level)", "\(event.message)"] + fields).joined(separator: " ")
      log.entries.withLock { $0.append(line) }
    }
  }

  private let entries = Mutex<[String]>([])
  private let level: Logger.Level

  package init(level: Logger.Level = .trace) { self.level = level }

  package var lines: [String] { entries.withLock { $0 } }
  package var text: String { lines.joined(separator: "\n") }
  package var logger: Logger { Logger(label: "test") { _ in Handler(log: self, logLevel: level) } }
}

extension Logger {
  /// Discards every entry.
  package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
