/// A chat room as one of its members sees it.
public struct Room: Hashable, Sendable {
  /// Whether two people talk, or many.
  public enum Kind: String, Hashable, Sendable {
    /// Exactly two people; there is one such room for each pair.
    case direct
    /// A room with a name and members.
    case group
  }

  /// What a member may do.
  public enum Role: String, Hashable, Sendable {
    /// Made the room, may do all.
    case owner
    /// May change the room and its members.
    case admin
    /// May read and write.
    case member
  }

  /// The room's id.
  public var id: RoomID
  /// Direct or group.
  public var kind: Kind
  /// The group's name; for a direct room the peer's.
  public var name: String
  /// The group's topic, maybe empty.
  public var topic: String
  /// The other person of a direct room.
  public var peer: User?
  /// How many members it has.
  public var membersCount: Int
  /// The reader's role.
  public var role: Role
  /// Whether the reader wants no notifications from it.
  public var isMuted: Bool
  /// Whether the reader keeps it at the top.
  public var isPinned: Bool
  /// The highest sequence number given in this room; 0 while it is empty.
  public var lastSeq: Int
  /// Up to which message the reader has read.
  public var readSeq: Int
  /// Others' messages after `readSeq` that are not deleted.
  public var unreadCount: Int
  /// The newest message that the reader can see.
  public var lastMessage: Message?
  /// What the reader has begun to write.
  public var draft: String
  /// When the room was made.
  public var createdAt: Timestamp
  /// When the newest message came, or the room was made: the order of the list of chats.
  public var updatedAt: Timestamp

  /// A room from stored values.
  public init(
    id: RoomID, kind: Kind, name: String, topic: String = "", peer: User? = nil, membersCount: Int,
    role: Role = .member,
    isMuted: Bool = false, isPinned: Bool = false, lastSeq: Int = 0, readSeq: Int = 0, unreadCount: Int = 0,
    lastMessage: Message? = nil, draft: String = "", createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.topic = topic
    self.peer = peer
    self.membersCount = membersCount
    self.role = role
    self.isMuted = isMuted
    self.isPinned = isPinned
    self.lastSeq = lastSeq
    self.readSeq = readSeq
    self.unreadCount = unreadCount
    self.lastMessage = lastMessage
    self.draft = draft
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

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

  /// A message from stored values.
  public init(
    roomID: RoomID, seq: Int, clientID: ClientMessageID, sender: User, text: String, replyTo: Int? = nil,
    createdAt: Timestamp, editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil
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
  /// The checked text.
  public var text: String
  /// The message it answers; must exist in the room.
  public var replyTo: Int?
  /// The time it is given.
  public var createdAt: Timestamp

  /// A message from checked values.
  public init(
    roomID: RoomID, senderID: UserID, clientID: ClientMessageID, text: String, replyTo: Int? = nil, createdAt: Timestamp
  ) {
    self.roomID = roomID
    self.senderID = senderID
    self.clientID = clientID
    self.text = text
    self.replyTo = replyTo
    self.createdAt = createdAt
  }
}

/// How far a member has received and read a room.
public struct Receipt: Hashable, Sendable {
  /// The room.
  public var roomID: RoomID
  /// The member.
  public var userID: UserID
  /// Up to which message one of the member's devices has it.
  public var deliveredSeq: Int
  /// Up to which message the member has read; never above `deliveredSeq`.
  public var readSeq: Int

  /// A receipt from stored values.
  public init(roomID: RoomID, userID: UserID, deliveredSeq: Int, readSeq: Int) {
    self.roomID = roomID
    self.userID = userID
    self.deliveredSeq = deliveredSeq
    self.readSeq = readSeq
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
