/// A chat room as one of its members sees it.
package struct Room: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// Exactly two people; there is one such room per pair.
    case direct
    /// A room with a name and members.
    case group
  }

  /// A member's permissions.
  package enum Role: String, Hashable, Sendable {
    /// The creator or their successor, who may do everything.
    case owner
    /// May change the room and its members.
    case admin
    /// May read and write.
    case member
  }

  /// The messages that notify a member.
  package enum MentionLevel: String, Hashable, Sendable, CaseIterable {
    /// Every message.
    case all
    /// Those that mention the member.
    case mentions
    /// None.
    case nothing
  }

  /// The room's id.
  package var id: RoomID
  package var kind: Kind
  /// The group's name; for a direct room the peer's.
  package var name: String
  /// The group's topic, possibly empty.
  package var topic: String
  /// The other person in a direct room.
  package var peer: User?
  /// Whether anyone on the instance may find and join it.
  package var isPublic: Bool
  /// The repository that `#12` and commit ids in its messages belong to.
  package var repository: RepositoryName?
  /// The group's picture, if it has one.
  package var picture: PictureID?
  /// The number of members.
  package var membersCount: Int
  /// The reader's role; nil for a public room that they are not in.
  package var role: Role?
  /// Whether the reader has turned off its notifications.
  package var isMuted: Bool
  /// Whether the reader has pinned it to the top.
  package var isPinned: Bool
  /// Whether the reader removed it from their list; the next message brings it back.
  package var isHidden: Bool
  /// The messages that notify the reader.
  package var mentionLevel: MentionLevel
  /// The highest `seq` in this room; 0 while it is empty.
  package var lastSeq: Int
  /// The last message that the reader has read.
  package var readSeq: Int
  /// The last message that the reader has cleared: they see only newer ones.
  package var clearedSeq: Int
  /// The last change (`RoomChange.id`) that the reader has cleared.
  package var clearedChange: EventID
  /// Whether this is a direct chat without messages that only the peer has opened.
  package var isWaiting: Bool { kind == .direct && isHidden && lastSeq == 0 }
  /// The number of others' messages after `readSeq` that the reader can see and that are not deleted.
  package var unreadCount: Int
  /// The number of those that mention the reader.
  package var mentionCount: Int
  /// The newest message that the reader can see.
  package var lastMessage: Message?
  /// The reader's unsent text.
  package var draft: String
  package var createdAt: Timestamp
  /// When the newest message was stored, or the room was created.
  package var updatedAt: Timestamp
  /// The sort key of the chat list, greatest first: the id of the event by which the room, or the reader's membership,
  /// was last renewed. Unlike times it never repeats or goes back.
  package var position: EventID

  package init(
    id: RoomID, kind: Kind, name: String, topic: String = "", peer: User? = nil, isPublic: Bool = false,
    repository: RepositoryName? = nil, picture: PictureID? = nil, membersCount: Int, role: Role? = .member,
    isMuted: Bool = false, isPinned: Bool = false, isHidden: Bool = false, mentionLevel: MentionLevel = .all,
    lastSeq: Int = 0, readSeq: Int = 0,
    clearedSeq: Int = 0, clearedChange: EventID = 0, unreadCount: Int = 0, mentionCount: Int = 0,
    lastMessage: Message? = nil, draft: String = "", createdAt: Timestamp, updatedAt: Timestamp, position: EventID = 0
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.topic = topic
    self.peer = peer
    self.isPublic = isPublic
    self.repository = repository
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
    self.clearedChange = clearedChange
    self.unreadCount = unreadCount
    self.mentionCount = mentionCount
    self.lastMessage = lastMessage
    self.draft = draft
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.position = position
  }

  /// The key of the room's picture: the peer's for a direct room, a group's own, or the initials of its name.
  package var avatarKey: AvatarKey {
    if let peer { return peer.avatarKey }
    if let picture { return .picture(picture) }
    // By bytes: looking for the ends of characters would take longer than the rest of the room.
    let words = name.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    return .initials(
      colour: AvatarKey.colour(of: id),
      letters: AvatarKey.letters(first: words.first ?? "", last: words.dropFirst().last ?? ""))
  }
}

/// How far a member has received and read a room.
package struct Receipt: Hashable, Sendable {
  package var roomID: RoomID
  package var userID: UserID
  /// The last message that one of the member's devices has received.
  package var deliveredSeq: Int
  /// The last message that the member has read; never above `deliveredSeq`.
  package var readSeq: Int

  package init(roomID: RoomID, userID: UserID, deliveredSeq: Int, readSeq: Int) {
    self.roomID = roomID
    self.userID = userID
    self.deliveredSeq = deliveredSeq
    self.readSeq = readSeq
  }

  /// The receipt as others see it, for a member who joined after message `joinedSeq`: earlier messages count as neither
  /// received nor read by them.
  package func toOthers(joinedSeq: Int) -> Receipt {
    Receipt(
      roomID: roomID, userID: userID, deliveredSeq: deliveredSeq > joinedSeq ? deliveredSeq : 0,
      readSeq: readSeq > joinedSeq ? readSeq : 0)
  }
}
