import Chat
import Testing
@testable import ChatTesting

@Suite("Broker (H2, S5)")
struct BrokerTests {
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)
  private let room: RoomID = id(9)

  @Test("a stream without an id starts at now with hello")
  func hello() {
    let fixture = BrokerFixture()
    fixture.commit(.everyone, .everyone)
    let stream = fixture.open(user: ada)
    let data = #"{"last_event_id":2,"server_time":"\#(fixture.clock.now)","retry_ms":1000}"#
    #expect(stream.frames.filter { $0.name != "presence" } == [Frame(id: nil, name: "hello", data: data)])
    fixture.commit(.everyone)
    fixture.drain()
    #expect(stream.ids == [3])
  }

  @Test("a stream with an id is replayed what it missed, then is live")
  func resume() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 2))
    fixture.commit(.everyone, .user(ada), .user(bob))
    fixture.commit(.members(room, [ada, bob]), .everyone, .everyone)
    let stream = fixture.open(user: ada, after: 1)
    #expect(stream.ids == [2, 4, 5, 6])
    #expect(stream.frames.first?.data.hasPrefix(#"{"last_event_id":1,"#) == true)
    fixture.commit(.everyone)
    fixture.drain()
    #expect(stream.ids == [2, 4, 5, 6, 7])
  }

  @Test("each audience hears its events on every lane, those of one commit in one piece")
  func audiences() {
    let fixture = BrokerFixture()
    let streams = [
      fixture.open(user: ada), fixture.open(user: ada, lane: 1), fixture.open(user: bob, lane: 1),
      fixture.open(user: id(3)),
    ]
    for stream in streams { stream.state.update { $0.deliveries = [] } }
    fixture.commit(.user(ada), .members(room, [ada, bob]), .everyone)
    fixture.drain()
    #expect(streams.map(\.ids) == [[1, 2, 3], [1, 2, 3], [2, 3], [3]])
    #expect(streams.map(\.state.value.deliveries) == [[3], [3], [2], [1]])
  }

  @Test("what happens while the log is read is told once, after it")
  func buffering() {
    let fixture = BrokerFixture()
    fixture.commit(.everyone, .everyone)
    fixture.door.close()
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    _ = fixture.start(stream, user: ada, after: 0)
    fixture.drain()
    fixture.commit(.everyone)
    fixture.drain()
    fixture.door.release()
    fixture.drain()
    fixture.commit(.everyone)
    fixture.drain()
    #expect(stream.frames.isEmpty)
    fixture.door.open()
    fixture.drain()
    #expect(stream.ids == [1, 2, 3, 4])
  }

  @Test("an id that the log has lost, or does not know yet, leads to reset and then is live")
  func reset() {
    let fixture = BrokerFixture()
    for _ in 0..<5 { fixture.commit(.everyone) }
    fixture.store.trim(to: 3)
    for (after, reason) in [(2, "log_trimmed"), (6, "unknown_event_id"), (-1, "unknown_event_id")]
      as [(EventID, String)]
    {
      let stream = fixture.open(user: ada, after: after)
      let frames = stream.read().filter { $0.name != "presence" }
      #expect(frames.map(\.name) == ["hello", "reset"])
      #expect(frames[0].data.hasPrefix(#"{"last_event_id":5,"#))
      #expect(frames[1].data == #"{"reason":"\#(reason)"}"#)
      fixture.lanes[0].run { [broker = fixture.broker] in broker.unsubscribe(stream, lane: 0) }
      fixture.drain()
    }
    #expect(fixture.open(user: ada, after: 3).ids == [4, 5])
  }

  @Test("a log that is trimmed under a slow reader's hands leads to reset in the middle")
  func trimmedMeanwhile() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 2))
    for _ in 0..<6 { fixture.commit(.everyone) }
    let stream = fixture.open(user: ada, after: 0, isSlow: true)
    #expect(stream.ids == [1, 2])
    fixture.store.trim(to: 5)
    _ = stream.read()
    fixture.drain()
    #expect(stream.names.filter { $0 != "presence" } == ["reset"])
    _ = stream.read()
    fixture.commit(.everyone)
    fixture.drain()
    #expect(stream.ids == [7])
  }

  @Test("the buffer is bounded; what it dropped is read from the log")
  func overflow() {
    let fixture = BrokerFixture(limits: BrokerLimits(bufferedEvents: 3))
    fixture.commit(.everyone)
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    fixture.door.close()
    let outcome = fixture.start(stream, user: ada, after: 0)
    fixture.drain()
    for _ in 0..<3 {
      fixture.door.release()
      fixture.drain()
    }
    // The log has been read; its answer is on the way.
    for _ in 0..<10 { fixture.commit(.everyone) }
    fixture.drain()
    #expect(stream.frames.isEmpty)
    // That answer, and the next read up to where its own answer is on the way: the same again.
    for _ in 0..<2 {
      fixture.door.release()
      fixture.drain()
    }
    #expect(stream.ids == [1])
    for _ in 0..<10 { fixture.commit(.everyone) }
    fixture.drain()
    fixture.door.open()
    fixture.drain()
    #expect(outcome.value == "open")
    #expect(stream.ids == Array(1...21))
  }

  @Test("the buffer's bytes are bounded too, also for a stream without an id")
  func overflowOfBytes() {
    let fixture = BrokerFixture(limits: BrokerLimits(bufferedBytes: 10))
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    fixture.door.close()
    _ = fixture.start(stream, user: ada)
    fixture.drain()
    fixture.door.release()
    fixture.drain()
    fixture.commit(.everyone, data: "12345678")
    fixture.commit(.everyone, data: "123")
    fixture.drain()
    fixture.door.open()
    fixture.drain()
    #expect(stream.ids == [1, 2])
  }

  @Test("a replay goes out in pieces of bounded size, each once the one before has drained (SECURITY 21)")
  func slowReplay() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayBytes: 20))
    for _ in 0..<5 { fixture.commit(.everyone, data: "12345678") }
    let stream = fixture.open(user: ada, after: 0, isSlow: true)
    var pieces: [[EventID]] = []
    while !stream.frames.isEmpty {
      pieces.append(stream.read().compactMap(\.id))
      fixture.drain()
    }
    #expect(pieces == [[1, 2], [3, 4], [5]])
    fixture.commit(.everyone)
    fixture.drain()
    #expect(stream.ids == [6])
  }

  @Test("a subscriber that does not drain holds up nobody else (H2)")
  func slowSubscriber() {
    let fixture = BrokerFixture(limits: BrokerLimits(bufferedEvents: 2, replayEvents: 1))
    for _ in 0..<3 { fixture.commit(.everyone) }
    let slow = fixture.open(user: ada, after: 0, isSlow: true)
    let quick = fixture.open(user: bob)
    for _ in 0..<50 { fixture.commit(.everyone) }
    fixture.drain()
    #expect(quick.ids == Array(4...53))
    #expect(slow.ids == [1])
  }

  @Test("a long replay leaves the lane to others between its pages")
  func sharing() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 1))
    for _ in 0..<20 { fixture.commit(.everyone) }
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    _ = fixture.start(stream, user: ada, after: 0)
    let lane = fixture.lanes[0]
    let seen = Box<[Int]>([])
    for _ in 0..<5 {
      lane.step()
      lane.run { seen.update { $0.append(stream.ids.count) } }
    }
    fixture.drain()
    #expect(stream.ids.count == 20)
    #expect((seen.value.first ?? 20) < 10)
  }

  @Test("announcements have no id, reach their audience but not their cause, and pass a replay under way")
  func announcements() {
    let fixture = BrokerFixture(limits: BrokerLimits(replayEvents: 1))
    fixture.commit(.everyone, .everyone)
    let streams = [
      fixture.open(user: ada, after: 0, isSlow: true), fixture.open(user: bob, lane: 1), fixture.open(user: id(3)),
    ]
    for stream in streams { stream.state.update { $0.wire = [] } }
    let typing = Event.typing(roomID: room, userID: bob, isTyping: true)
    fixture.broker.announce(typing, to: .members(room, [ada, bob]), except: bob)
    fixture.drain()
    #expect(streams.map(\.names) == [["typing"], [], []])
    #expect(streams[0].frames[0].id == nil)
  }

  @Test("announcements from before hello follow it")
  func earlyAnnouncements() {
    let fixture = BrokerFixture()
    let stream = RecordingSubscriber(lane: fixture.lanes[0])
    fixture.door.close()
    _ = fixture.start(stream, user: ada)
    fixture.drain()
    fixture.broker.announce(.presence(userID: bob, isOnline: true, lastSeenAt: nil), to: .everyone)
    fixture.drain()
    #expect(stream.frames.isEmpty)
    fixture.door.open()
    fixture.drain()
    #expect(stream.names == ["hello", "presence"])
  }

  @Test("streams are pinged every 15 seconds by one timer a lane, which rests when there are none")
  func pings() {
    let fixture = BrokerFixture()
    #expect(fixture.clock.waiting == 0)
    let streams = [fixture.open(user: ada), fixture.open(user: bob)]
    #expect(fixture.clock.waiting == 1)
    for stream in streams { _ = stream.read() }
    fixture.clock.advance(by: .seconds(15))
    fixture.drain()
    let ping = Frame(id: nil, name: "ping", data: #"{"server_time":"\#(fixture.clock.now)"}"#)
    #expect(streams.map(\.frames) == [[ping], [ping]])
    fixture.clock.advance(by: .seconds(15))
    fixture.drain()
    #expect(streams.map(\.names) == [["ping", "ping"], ["ping", "ping"]])
    fixture.lanes[0].run { [broker = fixture.broker] in
      for stream in streams { broker.unsubscribe(stream, lane: 0) }
    }
    fixture.drain()
    fixture.clock.advance(by: .seconds(5))
    #expect(fixture.clock.waiting == 0)
  }
}
