import EventLoop
import Logging

/// A log that a test can read.
struct RecordedLog: LogHandler {
  private let lines = Lock<[String]>([])
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  /// What was logged, each with its metadata in the order of their names.
  var texts: [String] { lines.withLock { $0 } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    lines.withLock { $0.append("\(event.message)\(fields)") }
  }
}
