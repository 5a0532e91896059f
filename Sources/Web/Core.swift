import Base
import Chat
import HTTPServer

/// The parts of the core that the routes use, assembled by the composition root.
package struct Core: Sendable {
  /// People, rooms, messages and the event log.
  package var store: any ChatStore
  /// Sign-up, sign-in, sessions, and profiles.
  package var accounts: Accounts
  /// Opening rooms.
  package var rooms: Rooms
  /// Sending, changing and deleting messages.
  package var messages: Messages
  /// Groups and their members.
  package var groups: Groups
  /// Members' own views of rooms.
  package var views: RoomViews
  /// Reactions and pins.
  package var marks: Marks
  /// How far members have received and read rooms.
  package var receipts: Receipts
  /// Typing indicators.
  package var typing: Typing
  /// The event streams.
  package var broker: Broker
  /// The loops as the broker's lanes; a lane's number is its index.
  package var lanes: [LoopLane]
  private let everyonesPresence: Presence
  /// The directory of GitHub accounts.
  package var directory: any Directory
  /// GitHub news feeds.
  package var news: any News
  /// Public objects on GitHub.
  package var things: any GitHubThings
  /// GitHub sign-in; nil if it is not configured.
  package var identity: (any GitHubIdentity)?
  /// Web Push; nil if it is disabled.
  package var push: (any PushNotifications)?
  /// The rate limits per person; nil disables them.
  package var allowances: Allowances?
  /// The clock.
  package var clock: any ChatClock

  package init(
    store: any ChatStore, accounts: Accounts, rooms: Rooms, messages: Messages, receipts: Receipts, typing: Typing,
    presence: Presence, broker: Broker, lanes: [LoopLane], directory: any Directory,
    news: any News, things: any GitHubThings, identity: (any GitHubIdentity)? = nil,
    push: (any PushNotifications)? = nil, allowances: Allowances?, clock: any ChatClock
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
    self.allowances = allowances
    self.clock = clock
  }

  /// Publishes a commit's events; the store's commit observer.
  package func publish(_ events: [LoggedEvent]) {
    // First, so that a removed member gets no typing indicator after their `room.removed`.
    typing.notice(events)
    broker.publish(events)
  }

  /// Presence as the signed-in person may see it.
  func presence(for visit: Visit) -> PresenceView { presence(for: visit.userID) }

  /// Presence as the person with this id may see it.
  package func presence(for viewer: UserID) -> PresenceView { everyonesPresence.seen(by: viewer) }
}
