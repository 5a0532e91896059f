/// What members put on messages: reactions and pins (R3). Callable from any thread; all errors are `ChatError`,
/// `.notFound` for whoever cannot see the message.
public final class Marks: Sendable {
  private let store: any ChatStore
  private let clock: any ChatClock

  /// Marks over a store.
  public init(store: any ChatStore, clock: any ChatClock) {
    self.store = store
    self.clock = clock
  }

  /// Puts an emoji on a message, or takes one's own off; again, nothing changes. Throws `.invalid` at `emoji`,
  /// `.conflict` for a deleted message or one with too many different emoji.
  public func react(
    to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool
  ) async throws {
    let checked: String
    do {
      checked = try ViewRules.check(emoji: emoji)
    } catch {
      // Outsiders are told nothing but that there is no such message.
      _ = try await store.message(address.seq, in: address.roomID, for: user)
      throw error
    }
    try await store.react(to: address, with: checked, by: user, isAdded: isAdded)
  }

  /// Pins a message, or takes it off; again, nothing changes. Throws `.forbidden` in a group for who is neither owner nor
  /// admin, `.conflict` for a deleted message or beyond the limit.
  public func pin(_ address: MessageAddress, by user: UserID, isAdded: Bool) async throws {
    try await store.pin(address, by: user, at: clock.now, isAdded: isAdded)
  }
}
