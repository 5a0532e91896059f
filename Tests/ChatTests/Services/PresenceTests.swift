import Chat
import Testing
@testable import ChatTesting

@Suite("Presence (S6)")
struct PresenceTests {
  private let clock = ManualClock()
  private let changes = Box<[Presence.Change]>([])
  private let ada: UserID = id(1)

  private func presence(alwaysOnline: @escaping @Sendable (UserID) -> Bool = { _ in false }) -> Presence {
    let presence = Presence(clock: clock, grace: .seconds(5), alwaysOnline: alwaysOnline)
    presence.observe { [changes] change in changes.update { $0.append(change) } }
    return presence
  }

  private var flags: [Bool] { changes.value.map(\.isOnline) }

  @Test("begins with the first stream and ends when the last has been closed for the grace")
  func firstAndLast() {
    let presence = presence()
    #expect(!presence.isOnline(ada))
    presence.opened(ada)
    presence.opened(ada)
    #expect(presence.isOnline(ada) && flags == [true])
    presence.closed(ada)
    clock.advance(by: .seconds(60))
    #expect(presence.isOnline(ada) && flags == [true])
    let closedAt = clock.now
    presence.closed(ada)
    clock.advance(by: .milliseconds(4999))
    #expect(presence.isOnline(ada) && flags == [true])
    clock.advance(by: .milliseconds(1))
    #expect(!presence.isOnline(ada) && flags == [true, false])
    #expect(changes.value.last?.lastSeenAt == closedAt && changes.value.first?.lastSeenAt == nil)
  }

  @Test("a reload within the grace is no news, however often")
  func reloads() {
    let presence = presence()
    presence.opened(ada)
    for _ in 0..<10 {
      presence.closed(ada)
      clock.advance(by: .seconds(4))
      presence.opened(ada)
      clock.advance(by: .seconds(10))
    }
    #expect(flags == [true] && clock.waiting == 0)
    presence.closed(ada)
    presence.closed(ada)
    clock.advance(by: .seconds(5))
    #expect(flags == [true, false])
    presence.opened(ada)
    #expect(flags == [true, false, true])
  }

  @Test("demo peers are always online (X2)")
  func alwaysOnline() {
    let peer: UserID = id(7)
    let presence = presence(alwaysOnline: { $0 == peer })
    #expect(presence.isOnline(peer) && !presence.isOnline(ada))
  }

  @Test("the observer may ask who is online, and a change made by it is told after the one it hears of")
  func reentrance() {
    let presence = Presence(clock: clock)
    let bob: UserID = id(2)
    let seen = Box<[String]>([])
    presence.observe { [ada] change in
      if change.userID == ada { presence.opened(bob) }
      seen.update { $0.append("\(change.userID == ada ? "ada" : "bob") \(presence.isOnline(change.userID))") }
    }
    presence.opened(ada)
    #expect(seen.value == ["ada true", "bob true"])
  }

  @Test("everyone is told, and the store keeps when a person was last seen", .timeLimit(.minutes(1)))
  func connected() async throws {
    let store = InMemoryStore()
    _ = try await store.createAccount(
      NewAccount(id: ada, email: "a", passwordHash: "", firstName: "Ada", lastName: "", createdAt: clock.now))
    let told = Announcements()
    let presence = Presence(clock: clock)
    presence.connect(to: told, store: store)
    presence.opened(ada)
    presence.closed(ada)
    let closedAt = clock.now
    clock.advance(by: .seconds(5))
    #expect(
      told.entries.value == [
        .init(json: #"{"user_id":"\#(ada)","online":true,"last_seen_at":null}"#, audience: .everyone, except: nil),
        .init(
          json: #"{"user_id":"\#(ada)","online":false,"last_seen_at":"\#(closedAt)"}"#, audience: .everyone, except: nil
        ),
      ])
    while try await store.user(ada)?.lastSeenAt == nil { await Task.yield() }
    #expect(try await store.user(ada)?.lastSeenAt == closedAt)
  }
}
