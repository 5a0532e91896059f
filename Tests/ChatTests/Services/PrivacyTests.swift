import TestSupport
import Testing
@testable import Chat
@testable import ChatTesting

@Suite("Privacy settings", .shows("S6"))
struct PrivacyTests {
  private let clock = ManualClock()
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)
  private let eve: UserID = id(3)
  private let off = UserSettings(readReceipts: false, lastSeen: false)

  private func text(_ user: User, _ presence: PresenceView) -> String {
    var json = JSONWriter()
    json.value(user, presence)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test(
    "Whoever hides their presence is offline to others, as others are to them, not to themselves", .shows("S6"))
  func reading() {
    let presence = Presence(clock: clock)
    for user in [ada, bob, eve] { presence.opened(user) }
    presence.apply(off, of: ada, at: 1)
    #expect(!presence.isOnline(ada) && presence.isOnline(bob))
    #expect(!presence.seen(by: bob).isOnline(ada) && presence.seen(by: bob).isOnline(eve))
    #expect(!presence.seen(by: ada).isOnline(bob) && presence.seen(by: ada).isOnline(ada))
    let last = Timestamp(milliseconds: 5)
    let people = [ada, bob].map { User(id: $0, firstName: "X", lastSeenAt: last) }
    #expect(people.map { text($0, presence.seen(by: ada)).contains("last_seen_at") } == [true, false])
    #expect(people.map { text($0, presence.seen(by: bob)).contains("last_seen_at") } == [false, true])
    presence.apply(UserSettings(), of: ada, at: 2)
    #expect(presence.isOnline(ada) && presence.seen(by: ada).isOnline(bob))
  }

  @Test(
    "Hiding and showing presence is announced as going and coming, without a time; real changes are not", .shows("S6")
  )
  func changes() {
    let changes = Box<[String]>([])
    let presence = Presence(clock: clock, grace: .seconds(5))
    presence.observe { change in
      changes.update { $0.append("\(change.isOnline) \(change.lastSeenAt == nil ? "" : "seen")") }
    }
    presence.opened(ada)
    presence.apply(off, of: ada, at: 1)
    presence.apply(off, of: ada, at: 2)
    #expect(changes.value == ["true ", "false "])
    presence.closed(ada)
    clock.advance(by: .seconds(5))
    presence.opened(ada)
    #expect(changes.value == ["true ", "false "])
    presence.apply(UserSettings(), of: ada, at: 3)
    #expect(changes.value == ["true ", "false ", "true "])
    presence.closed(ada)
    clock.advance(by: .seconds(5))
    #expect(changes.value == ["true ", "false ", "true ", "false seen"])
    presence.apply(off, of: ada, at: 4)
    presence.apply(UserSettings(), of: ada, at: 5)
    #expect(changes.value.suffix(2) == ["false ", "false "])
  }

  @Test("Of two concurrent changes the one that the store made last applies", .shows("S6"))
  func order() {
    let presence = Presence(clock: clock)
    presence.opened(ada)
    presence.apply(off, of: ada, at: 8)
    presence.apply(UserSettings(), of: ada, at: 7)
    #expect(!presence.isOnline(ada))
    presence.apply(UserSettings(readReceipts: false), of: ada, at: 9)
    #expect(presence.isOnline(ada))
  }

  @Test("Hidden presence stays hidden after a restart", .shows("S6"))
  func restart() async throws {
    let store = InMemoryStore()
    for (number, user) in [ada, bob].enumerated() {
      _ = try await store.createAccount(
        NewAccount(
          id: user, email: "\(number)", passwordHash: "", firstName: "X", lastName: "", createdAt: clock.now))
    }
    _ = try await store.changeProfile(of: ada, ProfileChange(lastSeen: false))
    let presence = Presence(clock: clock)
    try await presence.load(from: store)
    presence.opened(ada)
    presence.opened(bob)
    #expect(!presence.isOnline(ada) && presence.isOnline(bob))
    #expect(presence.privacy.hidden == [ada])
  }

  @Test("Presence does not reach streams of people who hide theirs; other announcements do", .shows("S6"))
  func announcements() {
    let fixture = BrokerFixture()
    fixture.presence.apply(off, of: ada, at: 1)
    let (hiding, other) = (fixture.open(user: ada), fixture.open(user: bob))
    for stream in [hiding, other] { _ = stream.read() }
    fixture.broker.announce(.presence(userID: eve, isOnline: true, lastSeenAt: nil), to: .everyone)
    fixture.broker.announce(.typing(roomID: id(9), userID: eve, isTyping: true), to: .everyone)
    fixture.drain()
    #expect(hiding.names == ["typing"] && other.names == ["presence", "typing"])
  }
}
