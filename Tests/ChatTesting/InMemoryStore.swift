import Chat
import TestSupport

/// A model of the store: the same rules as the one on disk, written as plainly as possible. For tests only.
///
/// `gate` is awaited before and after each read of the event log, so that a test decides when a read takes place and
/// when its result arrives.
final class InMemoryStore: ChatStore {
  var refusesWrites: Bool { false }
  struct StoredMessage {
    var message: Message
    /// The message as sent, for comparison with a retry.
    var sent: NewMessage
    /// In the order in which they were added.
    var reactions: [(emoji: String, user: UserID, event: EventID)] = []
  }

  struct StoredAccount {
    let id: UserID
    var email: String?
    var passwordHash: String?
    /// Whether the names are GitHub's.
    var followsGitHub = false
  }

  struct StoredRoom {
    let id: RoomID
    var kind = Room.Kind.direct
    var name = ""
    var topic = ""
    var isPublic = false
    var repository: RepositoryName?
    var picture: PictureID?
    /// In the order in which they joined.
    var members: [UserID]
    var bans: Set<UserID> = []
    let createdAt: Timestamp
    var updatedAt: Timestamp
    var position: EventID
    var messages: [StoredMessage] = []
    var receipts: [UserID: Receipt]
    var views: [UserID: RoomView] = [:]
    /// Last pinned first.
    var pins: [(seq: Int, at: Timestamp, by: UserID, event: EventID)] = []
    var changes: [StoredChange] = []
  }

  /// One member's view of a room.
  struct RoomView {
    var role = Room.Role.member
    /// The event by which they joined: the last of the room's events that they do not receive.
    var joinedEvent: EventID = 0
    var joinedSeq = 0
    var isMuted = false
    var isPinned = false
    var isHidden = false
    var mentionLevel = Room.MentionLevel.all
    var clearedSeq = 0
    var clearedChange: EventID = 0
    var hidden: Set<Int> = []
    var draft = ""
  }

  /// A line of a group's log that is not a message.
  struct StoredChange {
    let id: EventID
    let at: Timestamp
    let kind: RoomChange.Kind
    var by: UserID
    var user: UserID?
    let text: String?
    let messageSeq: Int?
  }

  struct LogEntry {
    var event: Event?
    var logged: LoggedEvent
    /// The room as it was, where each reader has a view of it.
    var viewed: StoredRoom?
  }

  struct State {
    var users: [UserID: User] = [:]
    var accounts: [UserID: StoredAccount] = [:]
    var admin: UserID?
    var sessions: [SessionID: Session] = [:]
    var rooms: [RoomID: StoredRoom] = [:]
    var log: [LogEntry] = []
    var trimmedTo: EventID = 0
    var commit: [LoggedEvent] = []
    var observer: (@Sendable ([LoggedEvent]) -> Void)?
    var pages: [String: StoredDirectoryPage] = [:]
    var github: [Int64: GitHubAccount] = [:]
    /// The current owner of each login (in lower case).
    var owners: [String: Int64] = [:]
    var formerOwners: [String: Int64] = [:]
    var settings: [UserID: UserSettings] = [:]
    var languages: [UserID: String] = [:]
    /// By which handles (folded) people are mentioned, the former ones among them, and who chose theirs.
    var handles: [String: UserID] = [:]
    var choseHandle: Set<UserID> = []
    var pictures: [PictureID: Picture] = [:]
    var invitations: [InvitationID: (invitation: Invitation, secretHash: [UInt8])] = [:]
    var failure: ChatError?
  }

  let state = Box(State())
  let gate: @Sendable () async -> Void
  let mostMembers: Int
  let mostToldOfReceipts: Int
  let mostChanges: Int

  init(
    mostMembers: Int = GroupRules.mostMembers,
    mostToldOfReceipts: Int = GroupRules.mostToldOfReceipts, mostChanges: Int = GroupRules.mostChanges,
    gate: @escaping @Sendable () async -> Void = {}
  ) {
    self.mostMembers = mostMembers
    self.mostToldOfReceipts = mostToldOfReceipts
    self.mostChanges = mostChanges
    self.gate = gate
  }

  /// The error that every call throws from now on.
  var failure: ChatError? {
    get { state.value.failure }
    set { state.update { $0.failure = newValue } }
  }

  func observeCommits(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void) {
    state.update { $0.observer = observer }
  }

  /// A transaction: all of `body` or nothing. Then passes its events to the observer, commit by commit.
  func write<Value: Sendable>(_ body: @Sendable (inout State) throws(ChatError) -> Value) throws(ChatError) -> Value {
    let result = state.update { state -> Result<Value, ChatError> in
      if let failure = state.failure { return .failure(failure) }
      var changed = state
      let result: Result<Value, ChatError>
      do throws(ChatError) { result = .success(try body(&changed)) } catch { result = .failure(error) }
      guard case .success = result else { return result }
      let commit = changed.commit
      changed.commit = []
      state = changed
      if !commit.isEmpty { state.observer?(commit) }
      return result
    }
    return try result.get()
  }

  func read<Value: Sendable>(_ body: @Sendable (State) throws(ChatError) -> Value) throws(ChatError) -> Value {
    let state = state.value
    if let failure = state.failure { throw failure }
    return try body(state)
  }

  /// Logs a change of a room once for all members.
  func logView(_ name: String, of room: StoredRoom, _ state: inout State) {
    var json = JSONWriter()
    json.change(of: outside(room))
    let logged = LoggedEvent(
      id: state.lastEventID + 1, name: name, data: json.bytes, audience: .members(room.id, room.members), isView: true)
    state.log.append(LogEntry(event: nil, logged: logged, viewed: room))
    state.commit.append(logged)
  }

  /// Logs for one person that a room is gone.
  func logGone(_ room: Room, _ removal: Removal? = nil, to reader: UserID, _ state: inout State) {
    var room = room
    room.lastMessage = nil
    log(.roomRemoved(room, removal), to: .user(reader), &state)
  }

  /// Appends to the log within a transaction.
  func log(_ event: Event, to audience: Audience, _ state: inout State) {
    var json = JSONWriter()
    json.value(event)
    let logged = LoggedEvent(
      id: state.trimmedTo + EventID(state.log.count) + 1, name: event.name, data: json.bytes, audience: audience)
    state.log.append(LogEntry(event: event, logged: logged))
    state.commit.append(logged)
  }
}
