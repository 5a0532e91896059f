import Chat
import TestSupport
import Testing

@testable import ChatSQLite

@Suite("Subscriptions in the store")
struct PushStoreTests {
  private let now = Timestamp(milliseconds: 1_790_000_000_000)

  private func withStore(_ body: (SQLiteStore, UserID) async throws -> Void) async throws {
    let store = try SQLiteStore(path: ":memory:")
    defer { store.close() }
    let account = NewAccount(
      id: UserID(at: now), email: "ada@example.org", passwordHash: "x", firstName: "Ada", lastName: "", createdAt: now)
    try await body(store, try await store.createAccount(account).user.id)
  }

  private func session(_ number: UInt8, of user: UserID, in store: SQLiteStore) async throws -> SessionID {
    let id = SessionID(at: now)
    try await store.createSession(
      Session(
        id: id, userID: user, secretHash: [UInt8](repeating: number, count: 32), createdAt: now,
        expiresAt: now.adding(seconds: 3600), userAgent: ""))
    return id
  }

  private func subscription(_ session: SessionID, _ user: UserID, _ endpoint: String) -> PushSubscription {
    PushSubscription(
      sessionID: session, userID: user, endpoint: endpoint, publicKey: [UInt8](repeating: 4, count: 65),
      secret: [UInt8](repeating: 5, count: 16))
  }

  @Test("The server's key is the one that was stored first", .shows("T1"))
  func key() async throws {
    try await withStore { store, _ in
      let one = [UInt8](repeating: 1, count: 32)
      let first = try await store.pushKey(orKeeping: one)
      let second = try await store.pushKey(orKeeping: [UInt8](repeating: 2, count: 32))
      #expect(first == one && second == one)
    }
  }

  @Test(
    "A subscription belongs to its session: a new one replaces it, and it ends when the session ends or expires",
    .shows("T1"))
  func lifetime() async throws {
    try await withStore { store, ada in
      let (first, second) = (
        try await session(1, of: ada, in: store), try await session(2, of: ada, in: store)
      )
      try await store.setPushSubscription(subscription(first, ada, "a"), limit: 5, at: now)
      try await store.setPushSubscription(subscription(first, ada, "b"), limit: 5, at: now)
      try await store.setPushSubscription(subscription(second, ada, "c"), limit: 5, at: now)
      #expect(try await store.pushSubscriptions(of: ada, at: now).map(\.endpoint) == ["b", "c"])
      #expect(try await store.pushSubscriptions(of: ada, at: now).first == subscription(first, ada, "b"))
      #expect(try await store.pushSubscribers() == [ada])
      #expect(try await store.pushSubscriptions(of: ada, at: now.adding(seconds: 3601)).isEmpty)
      #expect(try await store.deletePushSubscription(of: first, endpoint: "a") == false)
      #expect(try await store.deletePushSubscription(of: first, endpoint: "b"))
      #expect(try await store.deleteSession(second, of: ada))
      #expect(try await store.pushSubscribers().isEmpty)
      await #expect(throws: ChatError.unauthenticated) {
        try await store.setPushSubscription(subscription(second, ada, "d"), limit: 5, at: now)
      }
    }
  }

  @Test("An endpoint belongs to one session, and a person keeps only the newest subscriptions", .shows("T1"))
  func limits() async throws {
    try await withStore { store, ada in
      var sessions: [SessionID] = []
      for number in 1...4 { sessions.append(try await session(UInt8(number), of: ada, in: store)) }
      try await store.setPushSubscription(subscription(sessions[0], ada, "same"), limit: 2, at: now)
      try await store.setPushSubscription(subscription(sessions[1], ada, "same"), limit: 2, at: now)
      #expect(try await store.pushSubscriptions(of: ada, at: now).map(\.sessionID) == [sessions[1]])
      try await store.setPushSubscription(subscription(sessions[2], ada, "two"), limit: 2, at: now)
      try await store.setPushSubscription(subscription(sessions[3], ada, "three"), limit: 2, at: now)
      #expect(try await store.pushSubscriptions(of: ada, at: now).map(\.endpoint) == ["two", "three"])
    }
  }

  @Test("The do-not-disturb hours are stored with the account, together with what others can see", .shows("T2"))
  func hours() async throws {
    try await withStore { store, ada in
      #expect(try await store.ownUser(ada)?.settings.doNotDisturb == DoNotDisturb())
      let hours = DoNotDisturb(isOn: true, from: 60, to: 120, utcOffset: -300)
      let changed = try await store.changeProfile(of: ada, ProfileChange(lastSeen: false, doNotDisturb: hours))
      #expect(changed.value.settings == UserSettings(lastSeen: false, doNotDisturb: hours))
      #expect(try await store.ownUser(ada)?.settings == changed.value.settings)
      #expect(
        try await store.changeProfile(of: ada, ProfileChange(readReceipts: false)).value.settings.doNotDisturb == hours)
    }
  }
}
