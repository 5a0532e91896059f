import Chat
import TestSupport

@testable import ChatSQLite
@testable import ChatTesting

/// A store with Ada and Bob in a direct room, and Eve as an outsider.
struct Chatroom {
  static let start = Timestamp(milliseconds: 1_800_000_000_000)

  let store: SQLiteStore
  let ada: UserID = id(1)
  let bob: UserID = id(2)
  let eve: UserID = id(3)
  let room: RoomID = id(9)

  /// Creates the people and the room, in a fresh database unless `path` is given.
  init(
    path: String = ":memory:", limits: StoreLimits = StoreLimits(), gate: CommitGate = CommitGate(),
    onNotice: @escaping StoreObserver = { _ in }
  ) async throws {
    var limits = limits
    // Long enough for any machine; tests of limits set their own.
    if limits.searchWait == StoreLimits().searchWait { limits.searchWait = .seconds(30) }
    if limits.searchTime == StoreLimits().searchTime { limits.searchTime = .seconds(30) }
    if limits.commitTime == StoreLimits().commitTime { limits.commitTime = .seconds(30) }
    store = try SQLiteStore(path: path, limits: limits, onNotice: onNotice) { try gate.commit($0) }
    guard try await store.user(ada) == nil else { return }
    for (id, name) in [(ada, "Ada"), (bob, "Bob"), (eve, "Eve")] {
      _ = try await store.createAccount(
        NewAccount(
          id: id, email: "\(name.lowercased())@example.org", passwordHash: "hash", firstName: name, lastName: "",
          createdAt: Self.start))
    }
    _ = try await store.openDirectRoom(of: ada, with: bob, newID: room, at: Self.start)
    // Both have it on their list, as after a first message.
    _ = try await store.openDirectRoom(of: bob, with: ada, newID: room, at: Self.start)
  }

  func message(
    _ number: UInt64, _ text: String = "Hello", by sender: UserID? = nil, replyTo: Int? = nil, seconds: Int64 = 0
  ) -> NewMessage {
    NewMessage(
      roomID: room, senderID: sender ?? ada, clientID: id(number), text: text, replyTo: replyTo,
      createdAt: Self.start.adding(seconds: seconds))
  }

  /// Sends `count` messages from Ada, one second apart.
  func send(_ count: Int, by sender: UserID? = nil, from number: UInt64 = 1000) async throws {
    for index in 0..<count {
      _ = try await store.append(
        message(number + UInt64(index), "Message \(index + 1)", by: sender, seconds: Int64(index)))
    }
  }

  func page(_ range: MessageRange, for user: UserID? = nil) async throws -> MessagePage {
    try await store.messages(in: room, for: user ?? ada, range).value
  }

  func room(of user: UserID) async throws -> Room {
    try await store.room(room, for: user).value
  }

  /// The findings of a check of the database.
  func findings() throws -> [String] { try DatabaseCheck.report(of: store.pool, path: "").findings }

  /// Returns when the observer, which is called after the writers resume, has put all events into `heard`.
  func observed(_ heard: Box<[LoggedEvent]>) async throws {
    let last = try await store.lastEventID()
    while heard.value.last.map({ $0.id < last }) ?? (last > 0) { await Task.yield() }
  }

  /// The name and payload of each event that `user` receives after `id`.
  func told(_ user: UserID, after id: EventID = 0) async throws -> [(name: String, data: String)] {
    try await store.events(after: id, for: user, limit: 10_000).events
      .map { ($0.name, String(decoding: $0.data, as: UTF8.self)) }
  }
}

/// Starts an operation at once: when this returns, its write is queued behind those started before.
func queued<Value: Sendable>(
  _ operation: @escaping @Sendable () async throws -> Value
) -> Task<Value, any Error> {
  Task.immediate { try await operation() }
}
