/// What the core needs of a database: named writes that keep the invariants, and reads.
///
/// A write returns once it is on disk. Writes that arrive during a commit may share the next one, each in its own
/// savepoint, so that failures are independent. Writes that others must learn of append to the event log in the same
/// transaction. After each commit the store resumes the waiting callers, and then calls the observer with the commit's
/// events, in the order of their ids.
///
/// Reads see every write that has returned. They run on event loops, so each must return within a millisecond or
/// suspend. All functions throw `ChatError`; `.unavailable` and `.storageFull` mean that nothing was stored.
/// Non-members get `.notFound` everywhere.
///
/// The caller supplies ids and times, the store numbers (`seq`, event ids).
package protocol ChatStore:
  DirectoryStore, ChatViewStore, GitHubAccountStore, GroupStore, InvitationStore, ProfileStore
{
  /// Calls `observer` after every commit that logged events; at most one observer, set before the first write.
  func observeCommits(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void)

  /// Whether the last write was refused because the disk is full.
  var refusesWrites: Bool { get }

  // MARK: People and sessions

  /// Creates an account; the first becomes the admin. Uses up its invitation, if any. Throws `.invalid` at `email`
  /// (`taken`) or at `invitation` with the reason it is not open, or `invalid` if it never existed.
  func createAccount(_ account: NewAccount) async throws -> OwnUser
  /// The password hash to verify against; nil for an unknown address.
  func credentials(email: String) async throws -> Credentials?
  /// The person with their private fields.
  func ownUser(_ id: UserID) async throws -> OwnUser?
  /// A person.
  func user(_ id: UserID) async throws -> User?
  /// People whose name or login contains `query`, by name then id, after the previous page's last; with `ids` only those
  /// of them.
  func users(matching query: String, among ids: [UserID]?, after cursor: UserCursor?, limit: Int) async throws -> [User]
  /// Stores when the last stream of each person closed; ignores unknown people.
  func recordLastSeen(_ times: [UserID: Timestamp]) async throws
  /// The owner of a GitHub account; if there is none, a new guest with `newID`.
  func person(for account: GitHubAccount, newID: UserID, at time: Timestamp) async throws -> User
  /// Guests: people without an account whom somebody has written to, oldest first.
  func guests(limit: Int) async throws -> [User]
  /// Stores a session. Throws `.unauthenticated` if the given password hash is no longer the person's, so that a
  /// sign-in with an old password fails.
  func createSession(_ session: Session, passwordHash: String?) async throws
  /// The session with this secret's hash, unless expired at `time`.
  func session(secretHash: [UInt8], at time: Timestamp) async throws -> Session?
  /// A person's sessions that have not expired, newest first.
  func sessions(of user: UserID, at time: Timestamp) async throws -> [Session]
  /// Ends one session of a person; false if there was none.
  func deleteSession(_ id: SessionID, of user: UserID) async throws -> Bool
  /// Ends all sessions of a person but one; returns those ended.
  func deleteSessions(of user: UserID, except kept: SessionID) async throws -> [SessionID]

  // MARK: Rooms

  /// The direct room of two different people: the existing one, or a new one with `newID`, which is hidden from the peer
  /// until its first message. Logs `room.created` for `user` where the room comes onto their list.
  func openDirectRoom(of user: UserID, with peer: UserID, newID: RoomID, at time: Timestamp) async throws
    -> (room: Room, isNew: Bool)
  /// One room as `user` sees it; `.notFound` for others.
  func room(_ id: RoomID, for user: UserID) async throws -> Snapshot<Room>
  /// A person's rooms without hidden ones: pinned first, then by `position`, newest first, after the previous page's
  /// last.
  func rooms(of user: UserID, after cursor: RoomCursor?, limit: Int) async throws -> Snapshot<[Room]>

  // MARK: Messages

  /// Stores a message with the room's next `seq`, moves the sender's pointers to it, and logs `room.created` for
  /// members who had hidden the room, then `message.created`. A repeated client id returns the original if room, text
  /// and reply are the same, else throws `.conflict`.
  func append(_ message: NewMessage) async throws -> (message: Message, isNew: Bool)
  /// Replaces the text of the user's own message; logs `message.updated`. Throws `.forbidden` for others' and forwarded
  /// messages, `.conflict` once deleted.
  func edit(_ seq: Int, in room: RoomID, by user: UserID, text: String, at time: Timestamp) async throws -> Message
  /// Erases a message's text for everyone, including in past log entries: the user's own message, or as owner or admin
  /// of a group any. Logs `message.deleted`. Idempotent.
  func delete(_ seq: Int, in room: RoomID, by user: UserID, at time: Timestamp) async throws
  /// One message.
  func message(_ seq: Int, in room: RoomID, for user: UserID) async throws -> Message
  /// A range of messages in ascending order.
  func messages(in room: RoomID, for user: UserID, _ range: MessageRange) async throws -> Snapshot<MessagePage>

  // MARK: Search

  /// Messages visible to `user`, newest first, after the previous page. Throws `.invalid` at the field of an unknown
  /// person or room. Stops early with a cursor when it takes too long, and when the task is cancelled.
  func messages(matching query: SearchQuery, for user: UserID, after cursor: SearchCursor?, limit: Int) async throws
    -> FoundMessages
  /// Rooms by prefixes of the words in their name: those on the person's list, newest first, then public groups they
  /// are not in (without a role).
  func rooms(matching text: String, for user: UserID, limit: Int) async throws -> [Room]

  // MARK: Receipts

  /// Moves pointers forward, at most to `lastSeq`; reading implies delivery. Logs `receipt.updated` if one moved.
  func moveReceipt(in room: RoomID, of user: UserID, delivered: Int?, read: Int?) async throws -> Receipt
  /// Marks as unread from `seq` on: the only move backwards. Logs `receipt.updated`.
  func markUnread(in room: RoomID, of user: UserID, from seq: Int) async throws -> Receipt
  /// All members' receipts.
  func receipts(in room: RoomID, for user: UserID) async throws -> Snapshot<[Receipt]>

  // MARK: The event log

  /// The id of the newest event; 0 before the first.
  func lastEventID() async throws -> EventID
  /// At most `limit` events after `id` that are visible to `user`, in order.
  func events(after id: EventID, for user: UserID, limit: Int) async throws -> EventReplay
}

extension ChatStore {
  /// Stores a session that does not depend on a password.
  package func createSession(_ session: Session) async throws { try await createSession(session, passwordHash: nil) }

  /// The same among all people.
  package func users(matching query: String, after cursor: UserCursor?, limit: Int) async throws -> [User] {
    try await users(matching: query, among: nil, after: cursor, limit: limit)
  }
}

/// A state and the last event that it reflects: a stream opened from there misses nothing.
package struct Snapshot<Value: Sendable>: Sendable {
  package var value: Value
  /// The newest event that the state reflects.
  package var eventID: EventID

  package init(value: Value, eventID: EventID) {
    self.value = value
    self.eventID = eventID
  }
}

/// The cursor after a page of people.
package struct UserCursor: Hashable, Sendable {
  /// The name of the last person.
  package var name: String
  /// Their id, since names repeat.
  package var id: UserID

  package init(name: String, id: UserID) {
    self.name = name
    self.id = id
  }
}

/// The cursor after a page of rooms.
package struct RoomCursor: Hashable, Sendable {
  /// Whether the last room was pinned.
  package var isPinned: Bool
  /// The last room's position.
  package var position: EventID

  package init(isPinned: Bool, position: EventID) {
    self.isPinned = isPinned
    self.position = position
  }

  /// The cursor after a room.
  package init(after room: Room) {
    self.init(isPinned: room.isPinned, position: room.position)
  }
}

/// A page of the event log for one reader.
package struct EventReplay: Sendable {
  /// The events in order of their ids.
  package var events: [LoggedEvent]
  /// The id up to which the log was read; unless `hasMore`, the end of the log.
  package var readTo: EventID
  /// Whether the page ended at its limit: there may be later events.
  package var hasMore: Bool
  /// False if events after the requested id have been trimmed: the reader must load its state again.
  package var reachesBack: Bool

  package init(events: [LoggedEvent], readTo: EventID, hasMore: Bool = false, reachesBack: Bool) {
    self.events = events
    self.readTo = readTo
    self.hasMore = hasMore
    self.reachesBack = reachesBack
  }
}

extension ChatStore {
  /// Stores when one person's last stream closed.
  package func recordLastSeen(_ id: UserID, at time: Timestamp) async throws {
    try await recordLastSeen([id: time])
  }
}
