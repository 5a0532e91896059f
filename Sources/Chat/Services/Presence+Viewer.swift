extension Presence {
  /// Who is online as `viewer` may see it: of others only what they and he himself show (S6).
  public func seen(by viewer: UserID) -> any PresenceReading {
    PresenceOfViewer(presence: self, viewer: viewer, hidesLastSeen: !showsLastSeen(viewer))
  }

  /// Takes over a person's settings as of event `id`, which the store has just returned; everybody is told where he now
  /// hides, or shows himself again. Callable from any thread.
  public func apply(_ settings: UserSettings, of user: UserID, at id: EventID) {
    if privacy.apply(settings, of: user, at: id) { tellAnew(user) }
  }

  /// Takes over everybody's settings when the program starts. Throws what the store throws.
  public func load(from store: any ChatStore) async throws {
    let known = try await store.privateUsers()
    for (user, settings) in known.value { _ = privacy.apply(settings, of: user, at: known.eventID) }
  }
}

/// See `Presence.seen`.
private struct PresenceOfViewer: PresenceReading {
  let presence: Presence
  let viewer: UserID
  let hidesLastSeen: Bool

  func isOnline(_ id: UserID) -> Bool {
    if id == viewer { return presence.isHere(id) }
    return !hidesLastSeen && presence.isOnline(id)
  }

  func showsLastSeen(_ id: UserID) -> Bool {
    id == viewer || !hidesLastSeen && presence.showsLastSeen(id)
  }
}
