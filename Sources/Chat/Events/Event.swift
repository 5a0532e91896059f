/// The number of an event in the log; it only increases. 0 is before the first event.
package typealias EventID = Int64

/// An event as clients receive it (docs/api.md, Events).
package enum Event: Sendable {
  /// A message was stored.
  case messageCreated(Message)
  /// A message's text was changed.
  case messageUpdated(Message)
  /// A message was deleted for everyone.
  case messageDeleted(Message)
  /// A room appeared on its reader's list.
  case roomCreated(Room)
  /// A room changed, as its reader sees it.
  case roomUpdated(Room)
  /// A room is gone from its reader's list; the removal, if others removed the reader.
  case roomRemoved(Room, Removal? = nil)
  /// A member's receipt pointers moved.
  case receiptUpdated(Receipt)
  /// A person's name or picture changed.
  case userUpdated(User)
  /// The person's own address or settings changed, or an invitation of theirs was used; for their own devices.
  case meUpdated(OwnUser)
  /// A draft changed on another device of the same person.
  case draftUpdated(roomID: RoomID, draft: String)
  /// A member added or removed a reaction; `count` is how many there are of this emoji now.
  case reactionChanged(MessageAddress, emoji: String, userID: UserID, isAdded: Bool, count: Int)
  /// A member pinned or unpinned (`pinnedAt` nil) a message.
  case pinChanged(MessageAddress, userID: UserID, pinnedAt: Timestamp?)
  /// A person hid a message from their own view; for their own devices.
  case messageHidden(MessageAddress)
  /// Somebody joined a group, changed role, or left it (`role` nil).
  case memberUpdated(RoomID, User, role: Room.Role?, membersCount: Int)
  /// A group got a line in its log that is not a message.
  case roomChanged(RoomChange)
  /// Somebody started or stopped typing; never logged.
  case typing(roomID: RoomID, userID: UserID, isTyping: Bool)
  /// Somebody came online or went offline; never logged.
  case presence(userID: UserID, isOnline: Bool, lastSeenAt: Timestamp?)
  /// The session of this stream has ended; never logged.
  case sessionEnded

  /// The event's name on the stream.
  package var name: String {
    switch self {
    case .messageCreated: "message.created"
    case .messageUpdated: "message.updated"
    case .messageDeleted: "message.deleted"
    case .roomCreated: "room.created"
    case .roomUpdated: "room.updated"
    case .roomRemoved: "room.removed"
    case .receiptUpdated: "receipt.updated"
    case .userUpdated: "user.updated"
    case .meUpdated: "me.updated"
    case .draftUpdated: "draft.updated"
    case .reactionChanged(_, _, _, let isAdded, _): isAdded ? "reaction.added" : "reaction.removed"
    case .pinChanged(_, _, let pinnedAt): pinnedAt == nil ? "pin.removed" : "pin.added"
    case .messageHidden: "message.hidden"
    case .memberUpdated: "member.updated"
    case .roomChanged: "room.changed"
    case .typing: "typing"
    case .presence: "presence"
    case .sessionEnded: "session.ended"
    }
  }
}

/// How others removed a member from a group.
package struct Removal: Sendable {
  /// Who removed the member.
  package var by: Face
  /// Whether the member is banned as well.
  package var isBan: Bool

  /// A removal, or with `isBan` a ban.
  package init(by: Face, isBan: Bool) {
    self.by = by
    self.isBan = isBan
  }
}

/// The recipients of an event.
package enum Audience: Hashable, Sendable {
  /// Everyone on the instance.
  case everyone
  /// One person, on all devices.
  case user(UserID)
  /// The members that a room had at the time.
  case members(RoomID, [UserID])
}

/// An event on disk: encoded once, when it was logged, and shared by all its readers.
package struct LoggedEvent: Sendable {
  /// Its number; the stream's `id:`.
  package var id: EventID
  /// Its name; the stream's `event:`.
  package var name: String
  /// Its payload, JSON without line breaks; the stream's `data:`.
  package var data: [UInt8]
  package var audience: Audience
  /// Whether each reader is told something else: the store makes it of `data` when the reader asks for the event.
  package var isView: Bool

  package init(id: EventID, name: String, data: [UInt8], audience: Audience, isView: Bool = false) {
    self.id = id
    self.name = name
    self.data = data
    self.audience = audience
    self.isView = isView
  }
}
