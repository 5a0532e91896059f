/// The writer's counters since the store was opened.
package struct WriteStatistics: Sendable, Hashable {
  /// The bounds of the buckets in `batches`: writes per commit.
  package static let batchBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]

  /// Writes queued at the moment.
  package var waiting = 0
  /// Successful commits.
  package var commits = 0
  /// Failed commits.
  package var failures = 0
  /// Whether the last write was refused because the disk is full.
  package var refusesWrites = false
  /// Writes on disk.
  package var writes = 0
  /// Events logged.
  package var events = 0
  /// The total duration of commits, from the start of the transaction until it is durable, in seconds.
  package var seconds = 0.0
  /// The number of commits in each bucket of `batchBounds`; the last element counts larger ones.
  package var batches = Array(repeating: 0, count: batchBounds.count + 1)

  mutating func count(batch: Int, events: Int, seconds: Double) {
    commits += 1
    writes += batch
    self.events += events
    self.seconds += seconds
    batches[Self.batchBounds.firstIndex { batch <= $0 } ?? Self.batchBounds.count] += 1
  }
}
