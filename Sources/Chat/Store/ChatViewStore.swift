/// Members' own views of rooms, reactions and pins. The guarantees of `ChatStore` apply.
package protocol ChatViewStore: Sendable {
  /// Changes one member's view of a room; logs `room.updated`, and `draft.updated` for a draft, for their devices. Logs
  /// nothing if nothing changes.
  @discardableResult
  func changeView(of room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room
  /// Clears a room for one member; logs `room.updated` for their devices. Idempotent.
  func clear(_ room: RoomID, for user: UserID) async throws
  /// Clears a room for one member and hides it until the next message; logs `room.removed` for their devices.
  func hide(_ room: RoomID, for user: UserID) async throws
  /// Hides a message from one member permanently; logs `message.hidden` for their devices. Throws `.invalid` after
  /// `MessageRules.mostHiddenMessages` in this room.
  func hideMessage(_ address: MessageAddress, for user: UserID) async throws

  /// Adds or removes one's own reaction; logs `reaction.added` or `reaction.removed` for the room. Idempotent. Throws
  /// `.conflict` for a deleted message, or one with `MessageRules.mostEmoji` others.
  func react(to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool) async throws
  /// The reactions with their people, in the order they were added.
  func reactions(to address: MessageAddress, for user: UserID) async throws -> [(emoji: String, users: [User])]
  /// Pins or unpins a message; logs `pin.added` or `pin.removed` for the room. Idempotent. Throws `.forbidden` in a
  /// group unless owner or admin, `.conflict` for a deleted message or beyond `MessageRules.mostPins`.
  func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) async throws
  /// The pinned messages visible to the member, last pinned first.
  func pins(in room: RoomID, for user: UserID) async throws -> [Message]
}

/// Changes to a member's own view of a room; nil keeps a value.
package struct RoomViewChange: Hashable, Sendable {
  /// Whether notifications are turned off.
  package var isMuted: Bool?
  /// Whether the room stays at the top of the list.
  package var isPinned: Bool?
  /// Which messages notify.
  package var mentionLevel: Room.MentionLevel?
  /// The unsent text.
  package var draft: String?

  package init(
    isMuted: Bool? = nil, isPinned: Bool? = nil, mentionLevel: Room.MentionLevel? = nil, draft: String? = nil
  ) {
    self.isMuted = isMuted
    self.isPinned = isPinned
    self.mentionLevel = mentionLevel
    self.draft = draft
  }
}
