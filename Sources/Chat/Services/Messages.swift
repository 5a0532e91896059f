/// Sending, changing and deleting messages. Callable from any thread; all errors are `ChatError`.
package final class Messages: Sendable {
  private let store: any ChatStore
  private let clock: any ChatClock

  /// Messages over a store.
  package init(store: any ChatStore, clock: any ChatClock) {
    self.store = store
    self.clock = clock
  }

  /// Stores a message; when this returns it is on disk. Repeating a `clientID` with the same content returns the
  /// original with `isNew` false; with other content it throws `.conflict`. Without a `clientID` every call is a new
  /// message. Throws `.invalid` at `text` or `reply_to`, `.notFound` for non-members.
  package func send(
    _ text: String, in room: RoomID, by user: UserID, clientID: ClientMessageID? = nil, replyTo: Int? = nil
  ) async throws -> (message: Message, isNew: Bool) {
    let text = try MessageRules.check(text: text)
    if let replyTo, replyTo < 1 {
      throw ChatError.invalid([
        FieldError(field: "reply_to", code: "invalid", detail: "There is no message with this number.")
      ])
    }
    let now = clock.now
    return try await store.append(
      NewMessage(
        roomID: room, senderID: user, clientID: clientID ?? ClientMessageID(at: now), text: text, replyTo: replyTo,
        createdAt: now))
  }

  /// Forwards a message with its text and original author. Throws `.invalid` at `forward` if the sender cannot see it,
  /// otherwise as `send`.
  package func forward(
    _ source: MessageAddress, to room: RoomID, by user: UserID, clientID: ClientMessageID? = nil
  ) async throws -> (message: Message, isNew: Bool) {
    let now = clock.now
    return try await store.append(
      NewMessage(
        roomID: room, senderID: user, clientID: clientID ?? ClientMessageID(at: now), text: "", forward: source,
        createdAt: now))
  }

  /// Replaces the text of the user's own message. Throws `.invalid` at `text`, `.forbidden` for others' and forwarded
  /// messages, `.conflict` once it is deleted, `.notFound`.
  package func edit(_ seq: Int, in room: RoomID, by user: UserID, text: String) async throws -> Message {
    let text = try MessageRules.check(text: text)
    return try await store.edit(seq, in: room, by: user, text: text, at: clock.now)
  }

  /// Deletes a message for everyone: the user's own, or as owner or admin of a group any; idempotent. Throws
  /// `.forbidden`, `.notFound`.
  package func delete(_ seq: Int, in room: RoomID, by user: UserID) async throws {
    try await store.delete(seq, in: room, by: user, at: clock.now)
  }
}
