import Base

/// Stores when people were last seen: one write at a time, for everyone who left meanwhile. When a network fails,
/// thousands leave at once, which must not fill the store's queue. Callable from any thread.
package final class LastSeenWriter: Sendable {
  private struct State {
    var times: [UserID: Timestamp] = [:]
    var isWriting = false
  }

  /// The number of people in one write, which takes the store's writer a millisecond or two.
  private static let atOnce = 200

  private let write: @Sendable ([UserID: Timestamp]) async throws -> Void
  private let state = Lock(State())

  /// `write` stores times, at most 200 people's.
  package init(write: @escaping @Sendable ([UserID: Timestamp]) async throws -> Void) {
    self.write = write
  }

  /// Queues a time. A write that fails is not repeated: the next visit renews the time.
  package func record(_ user: UserID, at time: Timestamp) {
    let begins = state.withLock { state in
      state.times[user] = time
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { Task { await writeAll() } }
  }

  private func writeAll() async {
    while let times = next() { try? await write(times) }
  }

  private func next() -> [UserID: Timestamp]? {
    state.withLock { state in
      let times = Dictionary(uniqueKeysWithValues: state.times.prefix(Self.atOnce).map { ($0.key, $0.value) })
      for user in times.keys { state.times[user] = nil }
      state.isWriting = !times.isEmpty
      return times.isEmpty ? nil : times
    }
  }
}
