/// One's own view of rooms and what members put on messages. The same promises as at `ChatStore`.
public protocol ChatViewStore: Sendable {
  /// Changes what a room is to one member; logs `room.updated` for his devices, and `draft.updated` for a draft.
  /// Nothing is logged where nothing changes.
  @discardableResult
  func changeView(of room: RoomID, for user: UserID, _ change: RoomViewChange) async throws -> Room
  /// Empties a room for one member; logs `room.updated` for his devices. Again: no change.
  func clear(_ room: RoomID, for user: UserID) async throws
  /// Empties a room for one member and takes it off his list until the next message; logs `room.removed` for his devices.
  func hide(_ room: RoomID, for user: UserID) async throws
  /// Hides one message from one member for good; logs `message.hidden` for his devices. `.invalid` where the member has
  /// hidden `ViewRules.mostHiddenMessages` in this room.
  func hideMessage(_ address: MessageAddress, for user: UserID) async throws

  /// Puts an emoji on a message, or takes one's own off; logs `reaction.added` or `reaction.removed` for the room. Again:
  /// no change. `.conflict` for a deleted message, or one with `ViewRules.mostEmoji` others.
  func react(to address: MessageAddress, with emoji: String, by user: UserID, isAdded: Bool) async throws
  /// Who reacted with what; emoji and people in the order in which they came.
  func reactions(to address: MessageAddress, for user: UserID) async throws -> [(emoji: String, users: [User])]
  /// Pins a message, or takes it off; logs `pin.added` or `pin.removed` for the room. Again: no change. In a group
  /// `.forbidden` but for owner and admins. `.conflict` for a deleted message, or beyond `ViewRules.mostPins`.
  func pin(_ address: MessageAddress, by user: UserID, at time: Timestamp, isAdded: Bool) async throws
  /// The pinned messages that the member can see, last pinned first.
  func pins(in room: RoomID, for user: UserID) async throws -> [Message]
}

/// What a member changes about his own view of a room; nil leaves it.
public struct RoomViewChange: Hashable, Sendable {
  /// No notifications from it.
  public var isMuted: Bool?
  /// Kept at the top.
  public var isPinned: Bool?
  /// For which messages to call.
  public var mentionLevel: Room.MentionLevel?
  /// What he has begun to write.
  public var draft: String?

  /// A change of the given parts.
  public init(
    isMuted: Bool? = nil, isPinned: Bool? = nil, mentionLevel: Room.MentionLevel? = nil, draft: String? = nil
  ) {
    self.isMuted = isMuted
    self.isPinned = isPinned
    self.mentionLevel = mentionLevel
    self.draft = draft
  }
}

/// The limits of what members put on messages and hide from themselves.
public enum ViewRules {
  /// How many different emoji a message can have.
  public static let mostEmoji = 20
  /// How many messages of a room can be pinned.
  public static let mostPins = 50
  /// How many messages of a room one member can hide one by one; clearing the room makes room for more.
  public static let mostHiddenMessages = 1000
  /// The longest draft, in Unicode scalars.
  public static let longestDraft = 10_000

  /// The emoji of a reaction, as it is stored. Throws `.invalid` at `emoji` for what is not one emoji.
  public static func check(emoji: String) throws(ChatError) -> String {
    guard emoji.count == 1, emoji.utf8.count <= 32, let first = emoji.unicodeScalars.first,
      first.properties.isEmojiPresentation || first.properties.isEmoji && emoji.unicodeScalars.count > 1
    else {
      throw .invalid([FieldError(field: "emoji", code: "invalid", detail: "A reaction is one emoji.")])
    }
    return emoji
  }
}
