extension Presence {
  /// Presence as `viewer` may see it: only for people who share theirs, and only if the viewer does too.
  package func seen(by viewer: UserID) -> PresenceView {
    PresenceView(presence: self, viewer: viewer, hidesLastSeen: !showsLastSeen(viewer))
  }

  /// Applies a user's settings as of event `id`, as returned by the store. Announces the person as online or offline if
  /// they now show or hide it. Callable from any thread.
  package func apply(_ settings: UserSettings, of user: UserID, at id: EventID) {
    if privacy.apply(settings, of: user, at: id) { tellAnew(user) }
  }

  /// Loads everyone's settings at start-up. Throws the store's errors.
  package func load(from store: any ChatStore) async throws {
    let known = try await store.privateUsers()
    for (user, settings) in known.value { _ = privacy.apply(settings, of: user, at: known.eventID) }
  }
}

/// Presence as one viewer may see it. Callable from any thread.
package struct PresenceView: Sendable {
  let presence: Presence
  let viewer: UserID
  let hidesLastSeen: Bool

  /// Whether the person has an open event stream that the viewer may know of.
  package func isOnline(_ id: UserID) -> Bool {
    if id == viewer { return presence.isHere(id) }
    return !hidesLastSeen && presence.isOnline(id)
  }

  /// All people who are online to the viewer, in no particular order, without those who are always online.
  package var everybodyOnline: [UserID] { presence.everybodyHere.filter(isOnline) }

  /// Whether the viewer may see when the person was last online.
  package func showsLastSeen(_ id: UserID) -> Bool {
    id == viewer || !hidesLastSeen && presence.showsLastSeen(id)
  }
}
