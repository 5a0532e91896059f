import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Presence", .shows("S6"))
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

  @Test("begins with the first stream and ends when the last one has been closed for the grace period")
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

  @Test("a reload within the grace period is not announced, however often")
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

  /// A clock that queries presence while it schedules work, like one whose own lock makes it wait.
  private struct AskingClock: ChatClock {
    let clock: ManualClock
    let asks = Box<@Sendable () -> Void>({})

    var now: Timestamp { clock.now }
    var monotonic: Duration { clock.monotonic }

    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
      asks.value()
      return clock.after(delay, work)
    }
  }

  @Test("holds no lock while the clock schedules work", .timeLimit(.minutes(1)))
  func lockOrder() {
    let asking = AskingClock(clock: clock)
    let presence = Presence(clock: asking, grace: .seconds(5))
    let answers = Box<[Bool]>([])
    asking.asks.value = { [ada] in answers.update { $0.append(presence.isOnline(ada)) } }
    presence.opened(ada)
    presence.closed(ada)
    #expect(answers.value == [true])
    // The person returns while the clock schedules the end of their grace period.
    presence.opened(ada)
    asking.asks.value = { [ada] in presence.opened(ada) }
    presence.closed(ada)
    clock.advance(by: .seconds(5))
    #expect(presence.isOnline(ada) && clock.waiting == 0)
  }

  @Test("when a network fails, few writes store when thousands of people were last seen")
  func massDisconnect() async throws {
    let store = CountingStore()
    let writer = LastSeenWriter { try await store.record($0) }
    for number in 0..<10_000 { writer.record(id(UInt64(number)), at: clock.now) }
    await store.open()
    await store.untilRecorded(10_000)
    let (people, writes) = await (store.people.count, store.writes)
    #expect(people == 10_000 && writes <= 51)
  }

  /// Blocks the first write until all people have left.
  private actor CountingStore {
    var people: Set<UserID> = []
    var writes = 0
    private var isOpen = false
    private var held: CheckedContinuation<Void, Never>?
    private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func record(_ times: [UserID: Timestamp]) async throws {
      if !isOpen { await withCheckedContinuation { held = $0 } }
      people.formUnion(times.keys)
      writes += 1
      guard let waiting, people.count >= waiting.count else { return }
      waiting.continuation.resume()
      self.waiting = nil
    }

    func open() {
      isOpen = true
      held?.resume()
    }

    func untilRecorded(_ count: Int) async {
      guard people.count < count else { return }
      await withCheckedContinuation { waiting = (count, $0) }
    }
  }

  @Test("demo peers are always online", .shows("X2"))
  func alwaysOnline() {
    let peer: UserID = id(7)
    let presence = presence(alwaysOnline: { $0 == peer })
    #expect(presence.isOnline(peer) && !presence.isOnline(ada))
  }

  @Test("the observer may query who is online, and a change it causes is announced after the current one")
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

  @Test("everyone is notified, and the store records when a person was last seen", .timeLimit(.minutes(10)))
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
