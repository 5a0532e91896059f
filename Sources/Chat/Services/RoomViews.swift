/// A member's own view of rooms: muted, pinned, cleared, hidden, drafts. Callable from any thread; all errors are
/// `ChatError`, `.notFound` for non-members.
package final class RoomViews: Sendable {
  private let store: any ChatStore

  /// Views over a store.
  package init(store: any ChatStore) {
    self.store = store
  }

  /// Changes one member's view of a room. Throws `.invalid` at `draft`.
  package func change(_ room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room {
    do {
      if let draft = change.draft { try MessageRules.check(draft: draft) }
    } catch {
      // Check membership before the input: outsiders must learn nothing.
      _ = try await store.room(room, for: user)
      throw error
    }
    return try await store.changeView(of: room, for: user, change)
  }

  /// Clears a room's history for one member only.
  package func clear(_ room: RoomID, for user: UserID) async throws {
    try await store.clear(room, for: user)
  }

  /// Clears a room's history for one member and hides it from their list until somebody writes.
  package func hide(_ room: RoomID, for user: UserID) async throws {
    try await store.hide(room, for: user)
  }

  /// Hides one message from one member permanently; idempotent.
  package func hideMessage(_ address: MessageAddress, for user: UserID) async throws {
    try await store.hideMessage(address, for: user)
  }
}
