import Synchronization

/// A server's counters, summed over its loops; they are read one after another, not atomically.
package struct ServerStatistics: Sendable, Hashable {
  /// Open connections, including event streams.
  package var connections = 0
  /// Open event streams.
  package var streams = 0
  /// Requests answered, including the server's own refusals.
  package var requests = 0
  /// Connections refused because of `Limits.connections` or `Limits.connectionsPerAddress`.
  package var refusedConnections = 0
  /// Event streams cut because their readers fell behind.
  package var overflowedStreams = 0
}

/// A counter that one loop writes and any thread reads.
struct Counter: ~Copyable {
  private let value = Atomic<Int>(0)

  /// On the owning loop: with one writer, no atomic read-modify-write is needed.
  func add(_ difference: Int) {
    value.store(value.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
  }

  var current: Int { value.load(ordering: .relaxed) }
}

/// One loop's share of the statistics.
final class ServerCounters: Sendable {
  let connections = Counter()
  let streams = Counter()
  let requests = Counter()
  let refusedConnections = Counter()
  let overflowedStreams = Counter()

  func add(to statistics: inout ServerStatistics) {
    statistics.connections += connections.current
    statistics.streams += streams.current
    statistics.requests += requests.current
    statistics.refusedConnections += refusedConnections.current
    statistics.overflowedStreams += overflowedStreams.current
  }
}
