import Base

/// Who hides their presence: a copy of the store's settings for the broker and for responses. Callable from any thread.
final class Privacy: Sendable {
  private struct State {
    var hidden: Set<UserID> = []
    /// The event of each person's newest known settings, so that concurrent changes end up in the store's order.
    var knownTo: [UserID: EventID] = [:]
  }

  private let state = Lock(State())

  /// Everyone who hides their presence. They do not see that of others either.
  var hidden: Set<UserID> { state.withLock { $0.hidden } }

  /// Whether a person hides their presence.
  func hides(_ user: UserID) -> Bool { state.withLock { $0.hidden.contains(user) } }

  /// Applies a person's settings as of event `id`, unless newer ones are known. Returns true if this makes them appear
  /// or disappear for others.
  func apply(_ settings: UserSettings, of user: UserID, at id: EventID) -> Bool {
    state.withLock { state in
      guard state.knownTo[user].map({ $0 <= id }) ?? true else { return false }
      state.knownTo[user] = id
      if settings.lastSeen { return state.hidden.remove(user) != nil }
      return state.hidden.insert(user).inserted
    }
  }
}
