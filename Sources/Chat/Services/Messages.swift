/// Sending, changing and deleting messages (C7, S1, S2). Callable from any thread; all errors are `ChatError`.
public final class Messages: Sendable {
  private let store: any ChatStore
  private let clock: any ChatClock

  /// Messages over a store.
  public init(store: any ChatStore, clock: any ChatClock) {
    self.store = store
    self.clock = clock
  }

  /// Stores a message; when this returns it is on disk. A repeat of `clientID` with the same content returns the
  /// original with `isNew` false, with other content it throws `.conflict`. Without a `clientID` every call is a new
  /// message. Throws `.invalid` at `text` or `reply_to`, `.notFound` for whoever is not a member.
  public func send(
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

  /// Sends what stands elsewhere, with who wrote it first; text and author are taken from there. Throws `.invalid` at
  /// `forward` where the sender cannot see such a message, else as `send`.
  public func forward(
    _ source: MessageAddress, to room: RoomID, by user: UserID, clientID: ClientMessageID? = nil
  ) async throws -> (message: Message, isNew: Bool) {
    let now = clock.now
    return try await store.append(
      NewMessage(
        roomID: room, senderID: user, clientID: clientID ?? ClientMessageID(at: now), text: "", forward: source,
        createdAt: now))
  }

  /// Replaces the text of one's own message. Throws `.invalid` at `text`, `.forbidden` for another's message and for a
  /// forwarded one, `.conflict` once it is deleted, `.notFound`.
  public func edit(_ seq: Int, in room: RoomID, by user: UserID, text: String) async throws -> Message {
    let text = try MessageRules.check(text: text)
    return try await store.edit(seq, in: room, by: user, text: text, at: clock.now)
  }

  /// Deletes one's own message for everyone, in a group owner and admins anybody's; again, nothing changes. Throws
  /// `.forbidden` for another's, `.notFound`.
  public func delete(_ seq: Int, in room: RoomID, by user: UserID) async throws {
    try await store.delete(seq, in: room, by: user, at: clock.now)
  }
}
