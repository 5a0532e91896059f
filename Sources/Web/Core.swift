import Chat
import HTTPServer

/// Everything of the core that the routes use, put together by the composition root.
public struct Core: Sendable {
  /// People, rooms, messages and the event log.
  public var store: any ChatStore
  /// Signing up and in, sessions, names.
  public var accounts: Accounts
  /// Opening rooms.
  public var rooms: Rooms
  /// Sending, changing and deleting messages.
  public var messages: Messages
  /// Groups and their members.
  public var groups: Groups
  /// One's own view of rooms.
  public var views: RoomViews
  /// Reactions and pins.
  public var marks: Marks
  /// What has been delivered and read.
  public var receipts: Receipts
  /// Who is typing.
  public var typing: Typing
  /// The live streams.
  public var broker: Broker<SharedBytes>
  /// The loops as the broker knows them; a lane's number is its place.
  public var lanes: [LoopLane]
  private let everyonesPresence: Presence
  /// GitHub's accounts.
  public var directory: any Directory
  /// What happens on GitHub.
  public var news: any News
  /// Single things of GitHub's.
  public var things: any GitHubThings
  /// GitHub's word for who somebody is; nil where signing in with GitHub is not set up.
  public var identity: (any GitHubIdentity)?
  /// Web Push; nil where there is none.
  public var push: (any PushNotifications)?
  /// Time.
  public var clock: any ChatClock

  /// The core from its parts.
  public init(
    store: any ChatStore, accounts: Accounts, rooms: Rooms, messages: Messages, receipts: Receipts, typing: Typing,
    presence: Presence, broker: Broker<SharedBytes>, lanes: [LoopLane], directory: any Directory,
    news: any News, things: any GitHubThings, identity: (any GitHubIdentity)? = nil,
    push: (any PushNotifications)? = nil,
    clock: any ChatClock
  ) {
    self.store = store
    self.accounts = accounts
    self.rooms = rooms
    self.messages = messages
    groups = Groups(store: store, clock: clock)
    views = RoomViews(store: store)
    marks = Marks(store: store, clock: clock)
    self.receipts = receipts
    self.typing = typing
    everyonesPresence = presence
    self.broker = broker
    self.lanes = lanes
    self.directory = directory
    self.news = news
    self.things = things
    self.identity = identity
    self.push = push
    self.clock = clock
  }

  /// What each commit's events are told to: the store's commit observer.
  public func publish(_ events: [LoggedEvent]) {
    // First: who is out of a room must not hear of it after he was told so.
    typing.notice(events)
    broker.publish(events)
  }

  /// Who is online as whoever asks may see it (S6): for all that is written into an answer.
  func presence(for visit: Visit) -> any PresenceReading { presence(for: visit.userID) }

  /// The same for a person who is known by id only.
  public func presence(for viewer: UserID) -> any PresenceReading { everyonesPresence.seen(by: viewer) }
}
