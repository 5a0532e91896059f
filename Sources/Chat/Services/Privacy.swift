/// Who has turned what off (S6): the store's settings, at hand wherever events are passed on. Callable from any thread.
final class Privacy: Sendable {
  private struct State {
    var hidden = Hidden()
    /// Up to which event a person's settings are known, so that two changes at once end as they did in the store.
    var knownTo: [UserID: EventID] = [:]
  }

  private let state = Locked(State())

  /// As it is now.
  var hidden: Hidden { state.withLock { $0.hidden } }

  /// Takes over what the store says of a person as of `id`, unless something newer is known. True if others now see him
  /// come or go.
  func apply(_ settings: UserSettings, of user: UserID, at id: EventID) -> Bool {
    state.withLock { state in
      guard state.knownTo[user].map({ $0 <= id }) ?? true else { return false }
      state.knownTo[user] = id
      let wasShown = !state.hidden.lastSeen.contains(user)
      state.hidden.set(settings, of: user)
      return wasShown != settings.lastSeen
    }
  }
}

/// Who hides what. What somebody hides is not shown to him of others either.
struct Hidden: Sendable {
  /// Those who do not show when they are here.
  private(set) var lastSeen: Set<UserID> = []
  /// Those who do not show what they have read.
  private(set) var receipts: Set<UserID> = []

  /// Nobody hides anything.
  var isEmpty: Bool { lastSeen.isEmpty && receipts.isEmpty }

  mutating func set(_ settings: UserSettings, of user: UserID) {
    if settings.lastSeen { lastSeen.remove(user) } else { lastSeen.insert(user) }
    if settings.readReceipts { receipts.remove(user) } else { receipts.insert(user) }
  }
}
