import Chat

/// What the browsers without a page were told, as far as this server knows: which chats' notifications they show, and which
/// of them have been read elsewhere since. A browser lets nobody close a notification without showing another, so those are
/// named in the next push (decision 12). What is known of a session goes with it. Kept in memory alone: what is lost stays
/// until somebody presses it.
struct ShownNotifications: Sendable {
  private struct Browser {
    let user: UserID
    /// Up to which message each chat was told, those told last at the end.
    var open: [(room: RoomID, seq: Int)] = []
    var read: [RoomID] = []
  }

  /// So many chats of a browser are remembered, and browsers of so many people.
  private static let mostRooms = 50
  private static let mostPeople = 10_000
  /// So many are named in one push, which has not room for all.
  private static let mostClosed = 20
  private var browsers: [SessionID: Browser] = [:]
  /// Whose they are.
  private var sessions: [UserID: Set<SessionID>] = [:]

  var isEmpty: Bool { browsers.isEmpty && sessions.isEmpty }

  /// A browser was told of a message, and to close what was `closed`.
  mutating func show(_ room: RoomID, _ seq: Int, closing closed: [RoomID], to subscription: PushSubscription) {
    let (user, id) = (subscription.userID, subscription.sessionID)
    guard sessions[user] != nil || sessions.count < Self.mostPeople else { return }
    var browser = browsers[id] ?? Browser(user: user)
    browser.read.removeAll { closed.contains($0) || $0 == room }
    browser.open.removeAll { $0.room == room }
    browser.open.append((room, seq))
    if browser.open.count > Self.mostRooms { browser.open.removeFirst() }
    browsers[id] = browser
    sessions[user, default: []].insert(id)
  }

  /// The last message of a chat that a browser was told of and that has not been read since; 0 where there is none.
  func told(_ room: RoomID, to session: SessionID) -> Int {
    browsers[session]?.open.first { $0.room == room }?.seq ?? 0
  }

  /// A person has read a chat, wherever.
  mutating func read(_ room: RoomID, by user: UserID, to seq: Int) {
    for id in sessions[user] ?? [] {
      guard let index = browsers[id]?.open.firstIndex(where: { $0.room == room && $0.seq <= seq }) else { continue }
      browsers[id]?.open.remove(at: index)
      browsers[id]?.read.append(room)
    }
  }

  /// What a push to a browser can close, but for the chat that it tells of.
  func closed(for session: SessionID, but room: RoomID) -> [RoomID] {
    Array((browsers[session]?.read ?? []).lazy.filter { $0 != room }.prefix(Self.mostClosed))
  }

  /// A browser is told nothing any more.
  mutating func forget(_ session: SessionID) {
    guard let user = browsers.removeValue(forKey: session)?.user else { return }
    sessions[user]?.remove(session)
    if sessions[user]?.isEmpty == true { sessions[user] = nil }
  }

  /// Of a person's browsers only these are told anything any more.
  mutating func keep(_ kept: [SessionID], of user: UserID) {
    for session in sessions[user] ?? [] where !kept.contains(session) { forget(session) }
  }
}
