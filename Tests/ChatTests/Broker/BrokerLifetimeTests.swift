import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Broker: lifetime of streams", .shows("control 9"))
struct BrokerLifetimeTests {
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)

  private func session(_ number: UInt64, _ fixture: BrokerFixture) async throws -> Session {
    let session = Session(
      id: id(number), userID: ada, secretHash: [], createdAt: fixture.clock.now,
      expiresAt: fixture.clock.now.adding(seconds: 100), userAgent: "")
    try await fixture.store.createSession(session)
    return session
  }

  @Test("ending a session notifies and closes its streams, and no others")
  func sessionEnd() async throws {
    let fixture = BrokerFixture()
    let (first, second) = (try await session(1, fixture), try await session(2, fixture))
    let ending = [
      fixture.open(user: ada, session: first.id), fixture.open(user: ada, session: first.id, lane: 1),
    ]
    let staying = [fixture.open(user: ada, session: second.id), fixture.open(user: ada)]
    _ = try await fixture.store.deleteSession(first.id, of: ada)
    fixture.broker.endSession(first.id)
    fixture.commit(.everyone)
    fixture.drain()
    for stream in ending {
      #expect(stream.state.value.closings == [Frame(id: nil, name: "session.ended", data: "{}")])
      #expect(stream.ids.isEmpty)
    }
    #expect(staying.allSatisfy { !$0.isClosed && $0.ids == [1] })
    #expect(fixture.broker.streamCount == 2)
  }

  @Test("a session that ended just before the stream opened gets none")
  func endedSession() async throws {
    let fixture = BrokerFixture()
    let session = try await session(1, fixture)
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    _ = try await fixture.store.deleteSession(session.id, of: ada)
    fixture.broker.endSession(session.id)
    let outcome = fixture.start(stream, user: ada, session: session.id)
    fixture.drain()
    #expect(outcome.value == "unauthenticated" && stream.frames.isEmpty && fixture.broker.streamCount == 0)
  }

  @Test("a session that ends while the stream opens closes it at any stage", arguments: 0..<6)
  func endingSession(step: Int) async throws {
    let fixture = BrokerFixture()
    let session = try await session(1, fixture)
    fixture.commit(.everyone)
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    fixture.door.close()
    let outcome = fixture.start(stream, user: ada, session: session.id, after: 0)
    fixture.drain()
    for _ in 0..<step {
      fixture.door.release()
      fixture.drain()
    }
    #expect(outcome.value == nil)
    _ = try await fixture.store.deleteSession(session.id, of: ada)
    fixture.broker.endSession(session.id)
    fixture.drain()
    #expect(stream.state.value.closings.map { $0?.name } == ["session.ended"])
    fixture.door.open()
    fixture.drain()
    #expect(outcome.value == "open" && stream.frames.isEmpty && fixture.broker.streamCount == 0)
  }

  @Test("a person's streams and polls are limited over all lanes")
  func bounded() throws {
    let fixture = BrokerFixture(limits: BrokerLimits(streamsPerUser: 2))
    let first = fixture.open(user: ada)
    _ = fixture.open(user: ada, lane: 1)
    let third = fixture.start(RecordingSubscriber(lane: fixture.lanes[0]), user: ada)
    fixture.drain()
    #expect(third.value == "tooManyStreams(limit: 2)")
    #expect(throws: ChatError.tooManyStreams(limit: 2)) {
      try fixture.lanes[0].perform { [broker = fixture.broker, store = fixture.store, ada] in
        try await broker.poll(user: ada, session: nil, lane: 0, after: 0, wait: .seconds(1), store: store)
      }
    }
    _ = fixture.open(user: bob)
    fixture.lanes[0].run { [broker = fixture.broker] in
      broker.unsubscribe(first, lane: 0)
      broker.unsubscribe(first, lane: 0)
    }
    fixture.drain()
    _ = fixture.open(user: ada)
    #expect(fixture.broker.streamCount == 3)
  }

  @Test("a subscriber that leaves during a delivery leaves nothing behind and does not affect others")
  func leavingWithinDelivery() {
    let fixture = BrokerFixture()
    let leaving = fixture.open(user: ada)
    let staying = [fixture.open(user: ada), fixture.open(user: bob)]
    leaving.state.update { $0.onDelivery = { [broker = fixture.broker] in broker.unsubscribe(leaving, lane: 0) } }
    fixture.commit(.everyone, .everyone)
    fixture.commit(.everyone)
    fixture.broker.announce(.sessionEnded, to: .everyone)
    fixture.drain()
    #expect(leaving.ids == [1])
    #expect(staying.map(\.ids) == [[1, 2, 3], [1, 2, 3]])
    #expect(fixture.broker.streamCount == 2)
  }

  @Test("a subscriber that leaves during its replay gets no further events", arguments: [1, 2, 3])
  func leavingWithinReplay(deliveries: Int) {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 1))
    for _ in 0..<5 { fixture.commit(.everyone) }
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    stream.state.update {
      $0.onDelivery = { [broker = fixture.broker] in
        if stream.state.value.deliveries == deliveries { broker.unsubscribe(stream, lane: 0) }
      }
    }
    let outcome = fixture.start(stream, user: ada, after: 0)
    fixture.drain()
    #expect(outcome.value == "open" && stream.state.value.deliveries == deliveries)
    #expect(fixture.broker.streamCount == 0)
  }

  @Test("a store failure before hello fails the subscription; after hello it closes the stream, to be resumed")
  func failingStore() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 1))
    for _ in 0..<3 { fixture.commit(.everyone) }
    let slow = fixture.open(user: ada, after: 0, isSlow: true)
    fixture.store.failure = .unavailable("disk")
    let outcome = fixture.start(RecordingSubscriber(lane: fixture.lanes[0]), user: bob)
    fixture.drain()
    #expect(outcome.value == #"unavailable("disk")"#)
    #expect(!slow.isClosed)
    _ = slow.read()
    fixture.drain()
    #expect(slow.state.value.closings == [nil])
    #expect(fixture.broker.streamCount == 0)
  }

  @Test("stopping closes all streams and refuses new ones")
  func stop() {
    let fixture = BrokerFixture()
    let streams = [fixture.open(user: ada), fixture.open(user: bob, lane: 1)]
    fixture.broker.close()
    fixture.drain()
    #expect(streams.allSatisfy { $0.state.value.closings == [nil] })
    let outcome = fixture.start(RecordingSubscriber(lane: fixture.lanes[0]), user: ada)
    fixture.drain()
    #expect(outcome.value?.hasPrefix("unavailable") == true && fixture.broker.streamCount == 0)
  }

  @Test("the first stream makes a person online, the end of the last one offline", .shows("S6"))
  func presence() {
    let fixture = BrokerFixture()
    fixture.presence.connect(to: fixture.broker, store: fixture.store)
    let watcher = fixture.open(user: bob)
    _ = watcher.read()
    let streams = [fixture.open(user: ada), fixture.open(user: ada, lane: 1)]
    #expect(fixture.presence.isOnline(ada))
    for (lane, stream) in streams.enumerated() {
      fixture.lanes[lane].run { [broker = fixture.broker] in broker.unsubscribe(stream, lane: lane) }
    }
    fixture.drain()
    #expect(watcher.read().map(\.data) == [#"{"user_id":"\#(ada)","online":true,"last_seen_at":null}"#])
    let closedAt = fixture.clock.now
    fixture.clock.advance(by: .seconds(5))
    fixture.drain()
    #expect(watcher.read().map(\.data) == [#"{"user_id":"\#(ada)","online":false,"last_seen_at":"\#(closedAt)"}"#])
  }
}
