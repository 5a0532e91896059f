/// One's own view of rooms: muted, pinned, cleared, hidden, drafts (L3, L4, K3, R3). Callable from any thread; all errors
/// are `ChatError`, `.notFound` for whoever is not a member.
public final class RoomViews: Sendable {
  private let store: any ChatStore

  /// Views over a store.
  public init(store: any ChatStore) {
    self.store = store
  }

  /// Changes what a room is to one member. Throws `.invalid` at `draft`.
  public func change(_ room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room {
    if let draft = change.draft, draft.unicodeScalars.count > ViewRules.longestDraft {
      // Whether there is such a room comes before what is wrong with the change: nothing is told to outsiders.
      _ = try await store.room(room, for: user)
      throw ChatError.invalid([
        FieldError(field: "draft", code: "too_long", detail: "A draft has at most 10,000 characters.")
      ])
    }
    return try await store.changeView(of: room, for: user, change)
  }

  /// Empties a room for one member; everybody else keeps everything.
  public func clear(_ room: RoomID, for user: UserID) async throws {
    try await store.clear(room, for: user)
  }

  /// Empties a room for one member and takes it off his list until somebody writes again.
  public func hide(_ room: RoomID, for user: UserID) async throws {
    try await store.hide(room, for: user)
  }

  /// Hides one message from one member, for good; again, nothing changes.
  public func hideMessage(_ address: MessageAddress, for user: UserID) async throws {
    try await store.hideMessage(address, for: user)
  }
}
