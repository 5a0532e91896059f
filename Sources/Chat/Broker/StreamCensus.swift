import Base

/// Counts each person's open streams and polls over all lanes. Callable from any thread.
final class StreamCensus: Sendable {
  private struct State {
    var counts: [UserID: Int] = [:]
    var sessions: [SessionID: Int] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let presence: Presence?
  private let state = Lock(State())

  init(limit: Int, presence: Presence?) {
    self.limit = limit
    self.presence = presence
  }

  /// Counts a stream. Throws `.tooManyStreams` beyond the limit, `.unavailable` once closed.
  func admit(_ user: UserID, _ session: SessionID?) throws(ChatError) {
    try state.withLock { state throws(ChatError) in
      guard !state.isClosed else { throw .unavailable("The server is stopping.") }
      let count = state.counts[user, default: 0]
      guard count < limit else { throw .tooManyStreams(limit: limit) }
      state.counts[user] = count + 1
      if let session { state.sessions[session, default: 0] += 1 }
    }
    presence?.opened(user)
  }

  /// Uncounts a stream.
  func leave(_ user: UserID, _ session: SessionID?) {
    state.withLock { state in
      let count = state.counts[user, default: 0] - 1
      state.counts[user] = count > 0 ? count : nil
      guard let session else { return }
      let streams = state.sessions[session, default: 0] - 1
      state.sessions[session] = streams > 0 ? streams : nil
    }
    presence?.closed(user)
  }

  /// Refuses all further streams.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Whether the broker is stopping.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether a session has an open stream or poll.
  func has(_ session: SessionID) -> Bool { state.withLock { $0.sessions[session] != nil } }

  /// The total number.
  var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }
}
