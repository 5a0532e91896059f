/// What the core needs of a database: named writes that keep the invariants, and reads.
///
/// A write returns only when it is on disk. Writes that arrive while another commit is under way may be committed
/// together, each in its own savepoint: one that fails leaves the others alone. Every write that others should hear of
/// appends to the event log in the same transaction. After each commit, the store first resumes those who wait for their
/// writes, and then calls the observer with the commit's events, commit by commit in the order of their ids.
///
/// Reads see every write that has returned. They are called on event loops, so each must be answered within a
/// millisecond or suspend. All functions throw `ChatError`; `.unavailable` and `.storageFull` mean that nothing was
/// stored. An asker who is not a member gets `.notFound` everywhere.
///
/// Ids and times come from the caller, numbers (`seq`, event ids) from the store.
public protocol ChatStore:
  DirectoryStore, ChatViewStore, GitHubAccountStore, GroupStore, InvitationStore, ProfileStore
{
  /// Calls `observer` after every commit that logged events; at most one observer, set before the first write.
  func observeCommits(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void)

  // MARK: People and sessions

  /// Adds a person with an account; the first one becomes the admin. Uses its invitation, if it has one. Throws `.invalid`
  /// with `taken` at `email`, or at `invitation` with why that is not open any more, `invalid` where it never was.
  func createAccount(_ account: NewAccount) async throws -> OwnUser
  /// What to compare a password with; nil for an unknown address.
  func credentials(email: String) async throws -> Credentials?
  /// The person with his private side.
  func ownUser(_ id: UserID) async throws -> OwnUser?
  /// A person.
  func user(_ id: UserID) async throws -> User?
  /// Members whose name or login contains `query`, by name then id, after the last of the page before.
  func users(matching query: String, after cursor: UserCursor?, limit: Int) async throws -> [User]
  /// Changes the names; logs `user.updated` for everyone.
  func rename(_ id: UserID, firstName: String, lastName: String) async throws -> OwnUser
  /// Keeps when the person's last stream closed.
  func recordLastSeen(_ id: UserID, at time: Timestamp) async throws
  /// The person for a GitHub account: the one who has it, else a new guest with `newID`.
  func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) async throws -> User
  /// People without an account, to whom somebody has written (D7), oldest first.
  func guests(limit: Int) async throws -> [User]
  /// Keeps a session. Throws `.unauthenticated` where a password hash is given that is not the person's any more: what
  /// was compared with it proves nothing.
  func createSession(_ session: Session, passwordHash: String?) async throws
  /// The session with this secret's hash, unless it has expired at `time`.
  func session(secretHash: [UInt8], at time: Timestamp) async throws -> Session?
  /// A person's sessions that have not expired, newest first.
  func sessions(of user: UserID, at time: Timestamp) async throws -> [Session]
  /// Ends one session of a person; false if there was none.
  func deleteSession(_ id: SessionID, of user: UserID) async throws -> Bool
  /// Ends all sessions of a person but one; returns those ended.
  func deleteSessions(of user: UserID, except kept: SessionID) async throws -> [SessionID]

  // MARK: Rooms

  /// The direct room of two different people: the existing one, or a new one with `newID`, told to each by `room.created`.
  func openDirectRoom(of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp) async throws
    -> (room: Room, isNew: Bool)
  /// One room as `user` sees it; `.notFound` for others.
  func room(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room>
  /// A person's rooms but the hidden ones, pinned first, then by `position`, newest first, after the last of the page
  /// before.
  func rooms(of user: UserID, after cursor: RoomCursor?, limit: Int) async throws -> Snapshot<[Room]>

  // MARK: Messages

  /// Stores a message with the room's next `seq`, moves the sender's own pointers to it, logs `message.created`, before
  /// that `room.created` to members who had hidden the room. The same client id with the same room, text and reply
  /// returns the original and changes nothing; otherwise `.conflict`.
  func append(_ message: NewMessage) async throws -> (message: Message, isNew: Bool)
  /// Replaces the text of one's own message; logs `message.updated`. `.forbidden` for another's and for a forwarded one,
  /// `.conflict` once deleted.
  func edit(_ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp) async throws -> Message
  /// Empties one's own message for everyone, past log entries included; in a group owner and admins anybody's. Logs
  /// `message.deleted`. Again: no change.
  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) async throws
  /// One message.
  func message(_ seq: Int, in room: RoomID, for user: UserID) async throws -> Message
  /// A part of the messages, ascending.
  func messages(in room: RoomID, for user: UserID, _ range: MessageRange) async throws -> Snapshot<MessagePage>

  // MARK: Search

  /// Messages that `user` may see, newest first, after the page before. `.invalid` at the field of a name that is nobody's
  /// or no room of his. Stops early, with where to go on, when it has worked for long; also when the task is cancelled.
  func messages(matching query: SearchQuery, for user: UserID, after cursor: SearchCursor?, limit: Int) async throws
    -> FoundMessages
  /// Rooms by how the words of their name begin: those on the person's list, newest first, then public groups that he is
  /// not in (with no role).
  func rooms(matching text: String, for user: UserID, limit: Int) async throws -> [Room]

  // MARK: Receipts

  /// Moves pointers forward, never beyond `lastSeq`; reading delivers. Logs `receipt.updated` if one moved.
  func moveReceipt(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt
  /// Marks as unread from `seq` on: the one move backwards. Logs `receipt.updated`.
  func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt
  /// All members' receipts.
  func receipts(in room: RoomID, for user: UserID) async throws -> Snapshot<[Receipt]>

  // MARK: The event log

  /// The id of the newest event; 0 before the first.
  func lastEventID() async throws -> EventID
  /// The events after `id` that `user` may see, in order, at most `limit`.
  func events(after id: EventID, for user: UserID, limit: Int) async throws -> EventReplay
}

extension ChatStore {
  /// Keeps a session that rests on no password.
  public func createSession(_ session: Session) async throws { try await createSession(session, passwordHash: nil) }
}

/// A state together with the event up to which it is true: open a stream from there and nothing is missed.
public struct Snapshot<Value: Sendable>: Sendable {
  /// The state.
  public var value: Value
  /// The newest event that the state includes.
  public var eventID: EventID

  /// A snapshot from its parts.
  public init(value: Value, eventID: EventID) {
    self.value = value
    self.eventID = eventID
  }
}

/// Where a page of people ended.
public struct UserCursor: Hashable, Sendable {
  /// The name of the last person.
  public var name: String
  /// And the id, since names repeat.
  public var id: UserID

  /// A cursor from its parts.
  public init(name: String, id: UserID) {
    self.name = name
    self.id = id
  }
}

/// Where a page of rooms ended.
public struct RoomCursor: Hashable, Sendable {
  /// Whether the last room was pinned.
  public var isPinned: Bool
  /// The last room's place in the order.
  public var position: EventID

  /// A cursor from its parts.
  public init(isPinned: Bool, position: EventID) {
    self.isPinned = isPinned
    self.position = position
  }

  /// The cursor behind a room.
  public init(after room: Room) {
    self.init(isPinned: room.isPinned, position: room.position)
  }
}

/// A part of the event log for one reader.
public struct EventReplay: Sendable {
  /// The events in order of their ids.
  public var events: [LoggedEvent]
  /// The log has been read up to this id; where `events` is shorter than the limit, it is the log's end.
  public var readTo: EventID
  /// False if events after the asked id have been trimmed away: the reader must read its state anew.
  public var reachesBack: Bool

  /// A part from its parts.
  public init(events: [LoggedEvent], readTo: EventID, reachesBack: Bool) {
    self.events = events
    self.readTo = readTo
    self.reachesBack = reachesBack
  }
}
