import Base
import EventLoop

/// The registry of all metrics; `/metrics` reads them. Safe from any thread.
package final class Metrics: Sendable {
  /// Writes some metric families. Called on any thread, at each scrape.
  package typealias Source = @Sendable (inout MetricsWriter) -> Void

  private let sources = Lock<[Source]>([])

  package init() {}

  /// Adds a source; its families follow those of earlier sources.
  package func add(_ source: @escaping Source) {
    sources.withLock { $0.append(source) }
  }

  /// The current values of all sources.
  package func page() -> String {
    var writer = MetricsWriter()
    for source in sources.withLock({ $0 }) { source(&writer) }
    return writer.text
  }
}
