import Logging

/// A log in memory, a line for each entry.
final class LineLog: Sendable {
  private struct Handler: LogHandler {
    let notes: Notes<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      notes.add((["\(event.level)", "\(event.message)"] + fields).joined(separator: " "))
    }
  }

  private let notes = Notes<String>()

  /// What was logged, in order.
  var lines: [String] { notes.values }
  /// A logger that writes here.
  var logger: Logger { Logger(label: "test") { _ in Handler(notes: notes) } }
}
