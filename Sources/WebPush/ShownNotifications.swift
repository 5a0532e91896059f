import Chat

/// What the browsers without a page show, as far as this server knows: which chats' notifications, and which of them have
/// been read elsewhere since. A browser lets nobody close a notification without showing another, so those are named in the
/// next push (decision 12). Kept in memory alone: what is lost stays until somebody presses it.
struct ShownNotifications: Sendable {
  private struct Browser {
    /// Up to which message each chat was told.
    var open: [RoomID: Int] = [:]
    var read: [RoomID] = []
  }

  /// So many chats of a browser are remembered, and browsers of so many people.
  private static let mostRooms = 50
  private static let mostPeople = 10_000
  /// So many are named in one push, which has not room for all.
  private static let mostClosed = 20
  private var browsers: [UserID: [SessionID: Browser]] = [:]

  var isEmpty: Bool { browsers.isEmpty }

  /// A browser was told of a message, and to close what was `closed`.
  mutating func show(_ room: RoomID, _ seq: Int, closing closed: [RoomID], to subscription: PushSubscription) {
    let (user, id) = (subscription.userID, subscription.sessionID)
    guard browsers[user] != nil || browsers.count < Self.mostPeople else { return }
    var browser = browsers[user]?[id] ?? Browser()
    browser.read.removeAll { closed.contains($0) || $0 == room }
    if browser.open[room] != nil || browser.open.count < Self.mostRooms { browser.open[room] = seq }
    browsers[user, default: [:]][id] = browser
  }

  /// A person has read a chat, wherever.
  mutating func read(_ room: RoomID, by user: UserID, to seq: Int) {
    for (id, browser) in browsers[user] ?? [:] {
      guard let told = browser.open[room], told <= seq else { continue }
      browsers[user]?[id]?.open[room] = nil
      browsers[user]?[id]?.read.append(room)
    }
  }

  /// What a push to a browser can close, but for the chat that it tells of.
  func closed(for subscription: PushSubscription, but room: RoomID) -> [RoomID] {
    let read = browsers[subscription.userID]?[subscription.sessionID]?.read ?? []
    return Array(read.lazy.filter { $0 != room }.prefix(Self.mostClosed))
  }

  /// A browser is told nothing any more.
  mutating func forget(_ session: SessionID, of user: UserID) {
    browsers[user]?[session] = nil
    if browsers[user]?.isEmpty == true { browsers[user] = nil }
  }
}
