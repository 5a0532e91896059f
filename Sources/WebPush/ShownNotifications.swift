import Chat

/// The notifications that browsers without an open page are showing, and which of their chats have been read elsewhere
/// since. A browser allows closing a notification only while showing another, so the next push names those chats
/// (docs/decisions/0012). A session's entries end with it. Kept in memory only: after a restart, old notifications stay
/// until clicked.
struct ShownNotifications: Sendable {
  private struct Browser {
    let user: UserID
    /// The last message sent of each chat, the most recent last.
    var open: [(room: RoomID, seq: Int)] = []
    var read: [RoomID] = []
  }

  /// The maximum number of chats tracked for a browser.
  private static let mostRooms = 50
  private static let mostPeople = 10_000
  /// The maximum number of chats named in one push, whose size is limited.
  private static let mostClosed = 20
  private var browsers: [SessionID: Browser] = [:]
  /// The sessions of each person.
  private var sessions: [UserID: Set<SessionID>] = [:]

  var isEmpty: Bool { browsers.isEmpty && sessions.isEmpty }

  /// A browser was sent a message, and told to close `closed`.
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

  /// The last unread message of a chat that was sent to a browser; 0 if there is none.
  func told(_ room: RoomID, to session: SessionID) -> Int {
    browsers[session]?.open.first { $0.room == room }?.seq ?? 0
  }

  /// A person has read a chat on any device.
  mutating func read(_ room: RoomID, by user: UserID, to seq: Int) {
    for id in sessions[user] ?? [] {
      guard let index = browsers[id]?.open.firstIndex(where: { $0.room == room && $0.seq <= seq }) else { continue }
      browsers[id]?.open.remove(at: index)
      browsers[id]?.read.append(room)
    }
  }

  /// The chats that a push to a browser can close, except its own.
  func closed(for session: SessionID, but room: RoomID) -> [RoomID] {
    Array((browsers[session]?.read ?? []).lazy.filter { $0 != room }.prefix(Self.mostClosed))
  }

  /// Removes a browser that gets no more pushes.
  mutating func forget(_ session: SessionID) {
    guard let user = browsers.removeValue(forKey: session)?.user else { return }
    sessions[user]?.remove(session)
    if sessions[user]?.isEmpty == true { sessions[user] = nil }
  }

  /// Keeps only these of a person's browsers.
  mutating func keep(_ kept: [SessionID], of user: UserID) {
    for session in sessions[user] ?? [] where !kept.contains(session) { forget(session) }
  }
}
