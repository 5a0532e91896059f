/// Reactions and pins. Callable from any thread; all errors are `ChatError`, `.notFound` if the message is not visible.
package final class Marks: Sendable {
  private let store: any ChatStore
  private let clock: any ChatClock

  package init(store: any ChatStore, clock: any ChatClock) {
    self.store = store
    self.clock = clock
  }

  /// Adds or removes the user's own reaction; idempotent. Throws `.invalid` at `emoji`, `.conflict` for a deleted
  /// message or one with too many different emoji.
  package func react(
    to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool
  ) async throws {
    let checked: String
    do {
      checked = try MessageRules.check(emoji: emoji)
    } catch {
      // Outsiders learn only that the message does not exist for them.
      _ = try await store.message(address.seq, in: address.roomID, for: user)
      throw error
    }
    try await store.react(to: address, with: checked, by: user, isAdded: isAdded)
  }

  /// Pins or unpins a message; idempotent. Throws `.forbidden` in a group unless owner or admin, `.conflict` for a
  /// deleted message or beyond the limit.
  package func pin(_ address: MessageAddress, by user: UserID, isAdded: Bool) async throws {
    try await store.pin(address, by: user, at: clock.now, isAdded: isAdded)
  }
}
