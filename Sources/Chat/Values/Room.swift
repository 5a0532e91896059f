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

  /// For which messages a member wants to be called (R3).
  public enum MentionLevel: String, Hashable, Sendable, CaseIterable {
    /// Every message.
    case all
    /// Those that mention the member.
    case mentions
    /// None.
    case nothing
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
  /// Whether anybody of the instance may find and join it.
  public var isPublic: Bool
  /// The group's picture, where it has one.
  public var picture: PictureID?
  /// How many members it has.
  public var membersCount: Int
  /// The reader's role; nil for a public room that he is not in.
  public var role: Role?
  /// Whether the reader wants no notifications from it.
  public var isMuted: Bool
  /// Whether the reader keeps it at the top.
  public var isPinned: Bool
  /// Whether the reader took it off his list; the next message brings it back.
  public var isHidden: Bool
  /// For which messages the reader wants to be called.
  public var mentionLevel: MentionLevel
  /// The highest sequence number given in this room; 0 while it is empty.
  public var lastSeq: Int
  /// Up to which message the reader has read.
  public var readSeq: Int
  /// Up to which message the reader has cleared the room for himself: he sees only what is newer.
  public var clearedSeq: Int
  /// Others' messages after `readSeq` that the reader can see and that are not deleted.
  public var unreadCount: Int
  /// Those of them that mention the reader.
  public var mentionCount: Int
  /// The newest message that the reader can see.
  public var lastMessage: Message?
  /// What the reader has begun to write.
  public var draft: String
  /// When the room was made.
  public var createdAt: Timestamp
  /// When the newest message came, or the room was made.
  public var updatedAt: Timestamp
  /// The order of the list of chats, greatest first: the id of the event by which the room, or the reader's membership,
  /// was last renewed. Unlike times it never repeats and never goes back.
  public var position: EventID

  /// A room from stored values.
  public init(
    id: RoomID, kind: Kind, name: String, topic: String = "", peer: User? = nil, isPublic: Bool = false,
    picture: PictureID? = nil, membersCount: Int, role: Role? = .member, isMuted: Bool = false, isPinned: Bool = false,
    isHidden: Bool = false, mentionLevel: MentionLevel = .all, lastSeq: Int = 0, readSeq: Int = 0,
    clearedSeq: Int = 0, unreadCount: Int = 0, mentionCount: Int = 0, lastMessage: Message? = nil,
    draft: String = "", createdAt: Timestamp, updatedAt: Timestamp, position: EventID = 0
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.topic = topic
    self.peer = peer
    self.isPublic = isPublic
    self.picture = picture
    self.membersCount = membersCount
    self.role = role
    self.isMuted = isMuted
    self.isPinned = isPinned
    self.isHidden = isHidden
    self.mentionLevel = mentionLevel
    self.lastSeq = lastSeq
    self.readSeq = readSeq
    self.clearedSeq = clearedSeq
    self.unreadCount = unreadCount
    self.mentionCount = mentionCount
    self.lastMessage = lastMessage
    self.draft = draft
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.position = position
  }

  /// The key of the room's picture: for a direct room the peer's, for a group its own, else the initials of its name.
  public var avatarKey: AvatarKey {
    if let peer { return peer.avatarKey }
    if let picture { return .picture(picture) }
    let words = name.split(separator: " ")
    return .initials(
      colour: AvatarKey.colour(of: id),
      letters: AvatarKey.letters(first: String(words.first ?? ""), last: String(words.dropFirst().last ?? "")))
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

  /// The receipt as others are told it of somebody who came after message `joinedSeq`: what was there before him counts as
  /// neither received nor read by him.
  public func toOthers(joinedSeq: Int) -> Receipt {
    Receipt(
      roomID: roomID, userID: userID, deliveredSeq: deliveredSeq > joinedSeq ? deliveredSeq : 0,
      readSeq: readSeq > joinedSeq ? readSeq : 0)
  }
}
