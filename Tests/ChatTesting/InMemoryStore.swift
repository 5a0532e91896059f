import Chat

/// The store as a model: the same rules as the one on disk, written as plainly as possible. Test-only.
///
/// `gate` is awaited before and after each read of the event log, so that a test decides when a read takes place and when
/// its answer arrives.
final class InMemoryStore: ChatStore {
  struct StoredMessage {
    var message: Message
    /// What was sent, with which a repeat is compared.
    var sent: NewMessage
    /// In the order in which they came.
    var reactions: [(emoji: String, user: UserID, event: EventID)] = []
  }

  struct StoredAccount {
    let id: UserID
    var email: String?
    var passwordHash: String?
    /// Whether its names are GitHub's.
    var followsGitHub = false
  }

  struct StoredRoom {
    let id: RoomID
    var kind = Room.Kind.direct
    var name = ""
    var topic = ""
    var isPublic = false
    var picture: PictureID?
    /// In the order in which they came.
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
  }

  /// What a room is to one member.
  struct RoomView {
    var role = Room.Role.member
    /// The event by which he was let in: the last that he is not told of where the room is told.
    var joinedEvent: EventID = 0
    var joinedSeq = 0
    var isMuted = false
    var isPinned = false
    var isHidden = false
    var mentionLevel = Room.MentionLevel.all
    var clearedSeq = 0
    var hidden: Set<Int> = []
    var draft = ""
  }

  struct LogEntry {
    var event: Event?
    var logged: LoggedEvent
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
    /// Who has a login (in lower case) now.
    var owners: [String: Int64] = [:]
    var formerOwners: [String: Int64] = [:]
    var settings: [UserID: UserSettings] = [:]
    var languages: [UserID: String] = [:]
    var pictures: [PictureID: Picture] = [:]
    var invitations: [InvitationID: (invitation: Invitation, secretHash: [UInt8])] = [:]
    var failure: ChatError?
  }

  let state = Box(State())
  let presence: any PresenceReading
  let gate: @Sendable () async -> Void
  let mostMembers: Int
  let mostToldOfReceipts: Int

  init(
    presence: any PresenceReading = NobodyIsOnline(), mostMembers: Int = GroupRules.mostMembers,
    mostToldOfReceipts: Int = GroupRules.mostToldOfReceipts, gate: @escaping @Sendable () async -> Void = {}
  ) {
    self.presence = presence
    self.mostMembers = mostMembers
    self.mostToldOfReceipts = mostToldOfReceipts
    self.gate = gate
  }

  /// What every call throws from now on.
  var failure: ChatError? {
    get { state.value.failure }
    set { state.update { $0.failure = newValue } }
  }

  func observeCommits(_ observer: @escaping @Sendable ([LoggedEvent]) -> Void) {
    state.update { $0.observer = observer }
  }

  /// A transaction: all of `body` or nothing, then its events to the observer, commit by commit.
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

  /// Appends to the log within a transaction.
  func log(_ event: Event, to audience: Audience, _ state: inout State) {
    var json = JSONWriter()
    json.value(event, presence)
    let logged = LoggedEvent(
      id: state.trimmedTo + EventID(state.log.count) + 1, name: event.name, data: json.bytes, audience: audience)
    state.log.append(LogEntry(event: event, logged: logged))
    state.commit.append(logged)
  }
}

/// Nobody is online.
struct NobodyIsOnline: PresenceReading {
  func isOnline(_ id: UserID) -> Bool { false }
}
