/// The number of an event in the log; it only grows. 0 is before the first.
public typealias EventID = Int64

/// What happened, as clients are told (`API.md`, Events).
public enum Event: Sendable {
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
  /// A room is gone from its reader's list.
  case roomRemoved(Room)
  /// A member's pointers moved.
  case receiptUpdated(Receipt)
  /// A person's name or picture changed.
  case userUpdated(User)
  /// One's own address or settings changed; told to one's own devices.
  case meUpdated(OwnUser)
  /// A draft changed on another device of the same person.
  case draftUpdated(roomID: RoomID, draft: String)
  /// A member put an emoji on a message, or took it back; `count` is how many there are of it now.
  case reactionChanged(MessageAddress, emoji: String, userID: UserID, isAdded: Bool, count: Int)
  /// A member pinned a message, or took it off (`pinnedAt` nil).
  case pinChanged(MessageAddress, userID: UserID, pinnedAt: Timestamp?)
  /// The reader has hidden a message from himself; for his own devices.
  case messageHidden(MessageAddress)
  /// Somebody came into a group, got another role, or is out of it (`role` nil).
  case memberUpdated(RoomID, User, role: Room.Role?, membersCount: Int)
  /// Somebody begins or stops typing; never logged.
  case typing(roomID: RoomID, userID: UserID, isTyping: Bool)
  /// Somebody came or went; never logged.
  case presence(userID: UserID, isOnline: Bool, lastSeenAt: Timestamp?)
  /// The session of this stream has ended; never logged.
  case sessionEnded

  /// The event's name on the stream.
  public var name: String {
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
    case .typing: "typing"
    case .presence: "presence"
    case .sessionEnded: "session.ended"
    }
  }
}

/// Who is told.
public enum Audience: Hashable, Sendable {
  /// Every person of the instance.
  case everyone
  /// One person, on all devices.
  case user(UserID)
  /// The members that a room had when it happened.
  case members(RoomID, [UserID])
}

/// An event that is on disk: encoded once, when it was logged, and shared by all its readers.
public struct LoggedEvent: Sendable {
  /// Its number, the stream's `id:`.
  public var id: EventID
  /// Its name, the stream's `event:`.
  public var name: String
  /// Its content, JSON without line breaks, the stream's `data:`.
  public var data: [UInt8]
  /// Who is told.
  public var audience: Audience

  /// An event from its parts.
  public init(id: EventID, name: String, data: [UInt8], audience: Audience) {
    self.id = id
    self.name = name
    self.data = data
    self.audience = audience
  }
}

/// Who is online: asked wherever a person is written as JSON.
public protocol PresenceReading: Sendable {
  /// Whether the person has an open event stream, as far as it is shown. Callable from any thread.
  func isOnline(_ id: UserID) -> Bool
  /// Whether it is shown when the person was last here. Callable from any thread.
  func showsLastSeen(_ id: UserID) -> Bool
}

extension PresenceReading {
  /// True: nobody hides.
  public func showsLastSeen(_ id: UserID) -> Bool { true }
}

/// Tells of nobody that he is online: for events without an id, which hold no person, and for readers who are not signed in.
public struct NobodyOnline: PresenceReading {
  /// A reading without state.
  public init() {}

  /// False.
  public func isOnline(_ id: UserID) -> Bool { false }

  /// False.
  public func showsLastSeen(_ id: UserID) -> Bool { false }
}
