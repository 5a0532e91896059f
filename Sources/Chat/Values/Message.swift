/// A message, addressed by its room and `seq`.
public struct Message: Hashable, Sendable {
  /// The room it stands in.
  public var roomID: RoomID
  /// 1, 2, 3 … within the room, without a gap; a deleted message keeps its place.
  public var seq: Int
  /// What the sender called it; unique for each sender for good.
  public var clientID: ClientMessageID
  /// Who wrote it.
  public var sender: User
  /// The text, 1 to 10,000 characters; empty once deleted.
  public var text: String
  /// The message it answers.
  public var replyTo: Int?
  /// When the server stored it.
  public var createdAt: Timestamp
  /// When it was last changed.
  public var editedAt: Timestamp?
  /// When it was deleted for everyone.
  public var deletedAt: Timestamp?
  /// Who wrote it first, where it was forwarded.
  public var forwardedFrom: User?
  /// Which members it mentions, in the order of their ids.
  public var mentions: [UserID]
  /// What others have put on it, as one reader sees it; nil where it is told to many readers at once.
  public var marks: MessageMarks?

  /// A message from stored values.
  public init(
    roomID: RoomID, seq: Int, clientID: ClientMessageID, sender: User, text: String, replyTo: Int? = nil,
    createdAt: Timestamp, editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, forwardedFrom: User? = nil,
    mentions: [UserID] = [], marks: MessageMarks? = nil
  ) {
    self.roomID = roomID
    self.seq = seq
    self.clientID = clientID
    self.sender = sender
    self.text = text
    self.replyTo = replyTo
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.deletedAt = deletedAt
    self.forwardedFrom = forwardedFrom
    self.mentions = mentions
    self.marks = marks
  }
}

/// What people have put on a message, as one of them sees it.
public struct MessageMarks: Hashable, Sendable {
  /// One emoji and how many reacted with it.
  public struct Reaction: Hashable, Sendable {
    /// The emoji.
    public var emoji: String
    /// How many members, at least 1.
    public var count: Int
    /// Whether the reader is one of them.
    public var isMine: Bool

    /// A reaction from stored values.
    public init(emoji: String, count: Int, isMine: Bool) {
      self.emoji = emoji
      self.count = count
      self.isMine = isMine
    }
  }

  /// The reactions; the emoji that was used first comes first.
  public var reactions: [Reaction]
  /// When it was pinned, where it is.
  public var pinnedAt: Timestamp?

  /// Marks from stored values.
  public init(reactions: [Reaction] = [], pinnedAt: Timestamp? = nil) {
    self.reactions = reactions
    self.pinnedAt = pinnedAt
  }
}

/// A message on its way to the store.
public struct NewMessage: Sendable {
  /// Where it goes.
  public var roomID: RoomID
  /// Who sends it.
  public var senderID: UserID
  /// The sender's name for it.
  public var clientID: ClientMessageID
  /// The checked text; of a forwarded message the store takes it from where it stands.
  public var text: String
  /// The message it answers; must exist in the room.
  public var replyTo: Int?
  /// The message it repeats for others; the sender must be able to see it.
  public var forward: MessageAddress?
  /// The time it is given.
  public var createdAt: Timestamp

  /// A message from checked values.
  public init(
    roomID: RoomID, senderID: UserID, clientID: ClientMessageID, text: String, replyTo: Int? = nil,
    forward: MessageAddress? = nil, createdAt: Timestamp
  ) {
    self.roomID = roomID
    self.senderID = senderID
    self.clientID = clientID
    self.text = text
    self.replyTo = replyTo
    self.forward = forward
    self.createdAt = createdAt
  }
}

/// Where a message stands.
public struct MessageAddress: Hashable, Sendable {
  /// The room.
  public var roomID: RoomID
  /// Its number there.
  public var seq: Int

  /// An address from its parts.
  public init(roomID: RoomID, seq: Int) {
    self.roomID = roomID
    self.seq = seq
  }
}

/// Which part of a room's messages is asked for; `limit` is 1 to 200.
public enum MessageRange: Hashable, Sendable {
  /// The newest ones.
  case newest(limit: Int)
  /// Those with a lower `seq`, nearest first cut off at the far end.
  case before(seq: Int, limit: Int)
  /// Those with a higher `seq`.
  case after(seq: Int, limit: Int)
  /// The message itself and about as many on either side.
  case around(seq: Int, limit: Int)
  /// Around the first message stored at or after a moment (or the newest, where there is none).
  case on(date: Timestamp, limit: Int)
}

/// A part of a room's messages, ascending by `seq`.
public struct MessagePage: Sendable {
  /// The messages.
  public var messages: [Message]
  /// Whether earlier ones exist that the reader may see.
  public var hasEarlier: Bool
  /// Whether later ones exist.
  public var hasLater: Bool

  /// A page from its parts.
  public init(messages: [Message], hasEarlier: Bool, hasLater: Bool) {
    self.messages = messages
    self.hasEarlier = hasEarlier
    self.hasLater = hasLater
  }
}
