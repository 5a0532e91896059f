import Synchronization

/// What a server has done so far, summed over its loops. The figures are taken one after another, not at one moment.
public struct ServerStatistics: Sendable, Hashable {
  /// Connections that are open, event streams among them.
  public var connections = 0
  /// Event streams that are open.
  public var streams = 0
  /// Requests answered, refusals by the server itself included.
  public var requests = 0
  /// Connections refused because of `Limits.connections` or `Limits.connectionsPerAddress`.
  public var refusedConnections = 0
  /// Event streams cut because their readers fell behind.
  public var overflowedStreams = 0
}

/// A number that one loop writes and any thread reads.
struct Counter: ~Copyable {
  private let value = Atomic<Int>(0)

  /// On the owning loop: with one writer, no read-modify-write instruction is needed.
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
