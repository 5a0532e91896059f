/// What the writer has done since the store was opened.
public struct WriteStatistics: Sendable, Hashable {
  /// The bounds of `batches`: writes that shared a commit.
  public static let batchBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]

  /// Writes that wait at this moment.
  public var waiting = 0
  /// Commits that are on disk.
  public var commits = 0
  /// Commits that failed, with all their writes.
  public var failures = 0
  /// Writes that are on disk.
  public var writes = 0
  /// Events that were logged.
  public var events = 0
  /// The time in commits, from the beginning of the transaction to the disk's word, in seconds.
  public var seconds = 0.0
  /// How many commits had so many writes or fewer, by `batchBounds`, and at the end those of more.
  public var batches = Array(repeating: 0, count: batchBounds.count + 1)

  mutating func count(batch: Int, events: Int, seconds: Double) {
    commits += 1
    writes += batch
    self.events += events
    self.seconds += seconds
    batches[Self.batchBounds.firstIndex { batch <= $0 } ?? Self.batchBounds.count] += 1
  }
}
