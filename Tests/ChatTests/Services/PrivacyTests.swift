import Testing
@testable import Chat
@testable import ChatTesting

@Suite("What people hide (S6)")
struct PrivacyTests {
  private let clock = ManualClock()
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)
  private let eve: UserID = id(3)
  private let off = UserSettings(readReceipts: false, lastSeen: false)

  private func text(_ user: User, _ presence: any PresenceReading) -> String {
    var json = JSONWriter()
    json.value(user, presence)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("S6 Whoever hides when he is here is offline for others, they are for him, and nobody is for himself")
  func reading() {
    let presence = Presence(clock: clock)
    for user in [ada, bob, eve] { presence.opened(user) }
    presence.apply(off, of: ada, at: 1)
    #expect(!presence.isOnline(ada) && presence.isOnline(bob))
    #expect(!presence.seen(by: bob).isOnline(ada) && presence.seen(by: bob).isOnline(eve))
    #expect(!presence.seen(by: ada).isOnline(bob) && presence.seen(by: ada).isOnline(ada))
    let last = Timestamp(milliseconds: 5)
    let people = [ada, bob].map { User(id: $0, firstName: "X", lastSeenAt: last) }
    #expect(people.map { text($0, presence).contains("last_seen_at") } == [false, true])
    #expect(people.map { text($0, presence.seen(by: ada)).contains("last_seen_at") } == [true, false])
    #expect(people.map { text($0, presence.seen(by: bob)).contains("last_seen_at") } == [false, true])
    presence.apply(UserSettings(), of: ada, at: 2)
    #expect(presence.isOnline(ada) && presence.seen(by: ada).isOnline(bob))
  }

  @Test("S6 Hiding and showing again is told to all as going and coming, without a time; coming and going is not")
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

  @Test("S6 Of two changes at once that counts which the store made last")
  func order() {
    let presence = Presence(clock: clock)
    presence.opened(ada)
    presence.apply(off, of: ada, at: 8)
    presence.apply(UserSettings(), of: ada, at: 7)
    #expect(!presence.isOnline(ada))
    presence.apply(UserSettings(readReceipts: false), of: ada, at: 9)
    #expect(presence.isOnline(ada) && presence.privacy.hidden.receipts == [ada])
  }

  @Test("S6 What was turned off is still off after a restart")
  func restart() async throws {
    let store = InMemoryStore()
    for (number, user) in [ada, bob].enumerated() {
      _ = try await store.createAccount(
        NewAccount(
          id: user, email: "\(number)", passwordHash: "", firstName: "X", lastName: "", createdAt: clock.now))
    }
    _ = try await store.setSettings(of: ada, readReceipts: nil, lastSeen: false)
    let presence = Presence(clock: clock)
    try await presence.load(from: store)
    presence.opened(ada)
    presence.opened(bob)
    #expect(!presence.isOnline(ada) && presence.isOnline(bob))
    #expect(presence.privacy.hidden.lastSeen == [ada] && presence.privacy.hidden.receipts.isEmpty)
  }

  @Test("S6 Presence does not reach streams of those who hide theirs; other announcements do")
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

  // MARK: Events

  private func user(_ id: UserID, _ online: Bool, _ name: String = "X") -> String {
    let seen = online ? "" : #","last_seen_at":"2026-11-20T18:03:07.412Z""#
    return #"{"id":"\#(id)","name":"\#(name)","member":true,"online":\#(online)\#(seen)}"#
  }

  @Test("S6 Users of those who hide are offline in every event, live and replayed; for who hides, everybody is")
  func users() {
    let fixture = BrokerFixture()
    // A text that looks like what is searched for.
    let trap = #"\"online\":true,\"last_seen_at\":\"x\" {\"id\":\""#
    let data = #"{"a":\#(user(ada, false, trap)),"b":[\#(user(bob, true)),\#(user(bob, false))],"text":"\#(trap)"}"#
    fixture.commit(.everyone, data: data)
    fixture.presence.apply(off, of: ada, at: 1)
    let live = [fixture.open(user: ada), fixture.open(user: bob), fixture.open(user: eve)]
    for stream in live { _ = stream.read() }
    fixture.commit(.everyone, data: data)
    fixture.drain()
    let replayed = [ada, bob, eve].map { fixture.open(user: $0, after: 0) }
    let hidden = #"{"id":"\#(bob)","name":"X","member":true,"online":false}"#
    let adas = #"{"id":"\#(ada)","name":"\#(trap)","member":true,"online":false}"#
    let shown = #"{"a":\#(adas),"b":[\#(user(bob, true)),\#(user(bob, false))],"text":"\#(trap)"}"#
    let masked = #"{"a":\#(adas),"b":[\#(hidden),\#(hidden)],"text":"\#(trap)"}"#
    #expect(live.map { $0.frames.map(\.data) } == [[masked], [shown], [shown]])
    let told = replayed.map { $0.frames.filter { $0.id != nil }.map(\.data) }
    #expect(told == [[masked, masked], [shown, shown], [shown, shown]])
  }

  @Test(
    "S6 A receipt of, or for, somebody who hides what he has read says 0; one's own is true", arguments: [true, false])
  func receipts(isSubject: Bool) {
    let hidden = isSubject ? ada : bob
    let data = Array(#"{"room_id":"\#(id(9) as RoomID)","user_id":"\#(ada)","delivered_seq":12,"read_seq":10}"#.utf8)
    let event = LoggedEvent(id: 1, name: "receipt.updated", data: data, audience: .everyone)
    let presence = Presence(clock: clock)
    presence.apply(UserSettings(readReceipts: false), of: hidden, at: 1)
    let masked = MaskedEvent(event, presence.privacy.hidden)
    let zero = String(decoding: data, as: UTF8.self).replacing(#""read_seq":10"#, with: #""read_seq":0"#)
    let seen = [ada, bob, eve].map { String(decoding: masked.data(for: $0), as: UTF8.self) == zero }
    #expect(seen == (isSubject ? [false, true, true] : [false, true, false]))
    #expect(masked.data(for: ada) == data)
  }

  @Test("S6 JSON that holds none of it stays as it is")
  func untouched() {
    let presence = Presence(clock: clock)
    presence.apply(off, of: ada, at: 1)
    for (name, text) in [
      ("test", "{}"), ("test", #"{"id":"x","online":true}"#), ("test", #""online":"#), ("receipt.updated", "{}"),
      ("receipt.updated", #"{"user_id":"\#(bob)"}"#), ("test", #"{"id":"\#(ada)","online":null}"#),
    ] {
      let event = LoggedEvent(id: 1, name: name, data: Array(text.utf8), audience: .everyone)
      let masked = MaskedEvent(event, presence.privacy.hidden)
      #expect([ada, bob].allSatisfy { masked.data(for: $0) == event.data }, "\(text)")
    }
  }
}
