import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Broker: long polls (GET /sync)")
struct BrokerPollTests {
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)

  private func start(
    _ fixture: BrokerFixture, session: SessionID? = nil, after: EventID?, wait: Duration = .seconds(25)
  ) -> (outcome: Box<String?>, task: Task<Void, Never>) {
    let outcome = Box<String?>(nil)
    let task = Task(executorPreference: fixture.lanes[0]) { [ada, broker = fixture.broker, store = fixture.store] in
      do {
        let answer = try await broker.poll(
          user: ada, session: session, lane: 0, after: after, wait: wait, store: store)
        outcome.value = "\(answer.events.map(\.id)) \(answer.lastEventID) \(answer.reset)"
      } catch {
        outcome.value = "\(error)"
      }
    }
    fixture.drain()
    return (outcome, task)
  }

  @Test("returns pending events at once, and the id for the next request")
  func atOnce() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 2))
    fixture.commit(.everyone, .user(bob), .user(ada), .everyone, .user(bob))
    #expect(start(fixture, after: nil).outcome.value == "[] 5 false")
    #expect(start(fixture, after: 0).outcome.value == "[1, 3] 3 false")
    #expect(start(fixture, after: 3).outcome.value == "[4] 5 false")
    #expect(fixture.broker.streamCount == 0)
  }

  @Test("traps off its lane")
  func offLane() async {
    await #expect(processExitsWith: .failure) {
      let fixture = BrokerFixture()
      _ = try await fixture.broker.poll(
        user: id(1), session: nil, lane: 0, after: nil, wait: .zero, store: fixture.store)
    }
  }

  @Test("waits for the first event that the person may see")
  func waits() {
    let fixture = BrokerFixture()
    let outcome = start(fixture, after: 0).outcome
    fixture.commit(.user(bob))
    fixture.drain()
    #expect(outcome.value == nil && fixture.broker.streamCount == 1 && fixture.presence.isOnline(ada))
    fixture.commit(.user(ada), .everyone)
    fixture.drain()
    #expect(outcome.value == "[2, 3] 3 false")
    #expect(fixture.broker.streamCount == 0)
  }

  @Test("returns no events when the time is up, and skips those of others")
  func timeout() {
    let fixture = BrokerFixture()
    let outcome = start(fixture, after: 0, wait: .seconds(2)).outcome
    fixture.commit(.user(bob))
    fixture.clock.advance(by: .milliseconds(1999))
    fixture.drain()
    #expect(outcome.value == nil)
    fixture.clock.advance(by: .milliseconds(1))
    fixture.drain()
    #expect(outcome.value == "[] 1 false")
    #expect(start(fixture, after: 1, wait: .zero).outcome.value == "[] 1 false")
    #expect(fixture.broker.streamCount == 0)
  }

  @Test("an event during the log read is not missed")
  func racing() {
    let fixture = BrokerFixture()
    fixture.door.close()
    let outcome = start(fixture, after: 0).outcome
    // Two gates of lastEventID and the one before the log read: the empty result is on its way.
    for _ in 0..<3 {
      fixture.door.release()
      fixture.drain()
    }
    fixture.commit(.everyone)
    fixture.drain()
    fixture.door.open()
    fixture.drain()
    #expect(outcome.value == "[1] 1 false")
  }

  @Test("an id that is trimmed or does not exist yet results in a reset")
  func reset() {
    let fixture = BrokerFixture()
    for _ in 0..<5 { fixture.commit(.everyone) }
    fixture.store.trim(to: 3)
    #expect(start(fixture, after: 2).outcome.value == "[] 5 true")
    #expect(start(fixture, after: 6).outcome.value == "[] 5 true")
    #expect(start(fixture, after: 3).outcome.value == "[4, 5] 5 false")
  }

  @Test("fails when its session ends or the server stops")
  func endings() async throws {
    let fixture = BrokerFixture()
    let session = Session(
      id: id(1), userID: ada, secretHash: [], createdAt: fixture.clock.now,
      expiresAt: fixture.clock.now.adding(seconds: 100), userAgent: "")
    try await fixture.store.createSession(session)
    let first = start(fixture, session: session.id, after: 0).outcome
    let second = start(fixture, after: 0).outcome
    _ = try await fixture.store.deleteSession(session.id, of: ada)
    fixture.broker.endSession(session.id)
    fixture.drain()
    #expect(first.value == "unauthenticated" && second.value == nil)
    #expect(start(fixture, session: session.id, after: 0).outcome.value == "unauthenticated")
    fixture.broker.close()
    fixture.drain()
    #expect(second.value?.hasPrefix("unavailable") == true)
    // By now the grace period of presence is over; a poll's own timer would still be pending.
    fixture.clock.advance(by: .seconds(5))
    #expect(fixture.broker.streamCount == 0 && fixture.clock.waiting == 0)
  }

  @Test("ends when nobody waits for the response any more")
  func cancellation() {
    let fixture = BrokerFixture()
    let (outcome, task) = start(fixture, after: 0)
    task.cancel()
    fixture.drain()
    #expect(outcome.value == "[] 0 false" && fixture.broker.streamCount == 0)
  }
}
