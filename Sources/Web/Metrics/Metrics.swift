import EventLoop

/// Where everything that counts something says how to read it; `/metrics` asks all of them. Safe from any thread.
public final class Metrics: Sendable {
  /// Writes some families. Called on any thread, at each scrape.
  public typealias Source = @Sendable (inout MetricsWriter) -> Void

  private let sources = Lock<[Source]>([])

  /// Metrics of nothing yet.
  public init() {}

  /// Adds a source, whose families come after those of the sources before.
  public func add(_ source: @escaping Source) {
    sources.withLock { $0.append(source) }
  }

  /// All that the sources say at this moment.
  public func page() -> String {
    var writer = MetricsWriter()
    for source in sources.withLock({ $0 }) { source(&writer) }
    return writer.text
  }
}
