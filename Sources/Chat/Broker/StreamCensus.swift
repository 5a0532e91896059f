/// How many streams and polls each person has open over all lanes. Callable from any thread.
final class StreamCensus: Sendable {
  private struct State {
    var counts: [UserID: Int] = [:]
    var sessions: [SessionID: Int] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let presence: Presence?
  private let state = Locked(State())

  init(limit: Int, presence: Presence?) {
    self.limit = limit
    self.presence = presence
  }

  /// Counts one more. Throws `.rateLimited` beyond the limit, `.unavailable` once closed.
  func admit(_ user: UserID, _ session: SessionID?) throws(ChatError) {
    try state.withLock { state throws(ChatError) in
      guard !state.isClosed else { throw .unavailable("The server is stopping.") }
      let count = state.counts[user, default: 0]
      guard count < limit else { throw .rateLimited(retryAfter: 5) }
      state.counts[user] = count + 1
      if let session { state.sessions[session, default: 0] += 1 }
    }
    presence?.opened(user)
  }

  /// Counts one less.
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

  /// Nobody is admitted any more.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Whether the broker is stopping.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether a session has any.
  func has(_ session: SessionID) -> Bool { state.withLock { $0.sessions[session] != nil } }

  /// How many there are in all.
  var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }
}
