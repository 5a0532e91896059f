import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("Broker", .shows("H2", "S5"))
struct BrokerTests {
  private let ada: UserID = id(1)
  private let bob: UserID = id(2)
  private let room: RoomID = id(9)

  @Test("a stream without an id starts at the current event with hello")
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

  @Test("a stream with an id gets the events it missed, then goes live")
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

  @Test("each audience gets its events on every lane")
  func audiences() {
    let fixture = BrokerFixture()
    let streams = [
      fixture.open(user: ada), fixture.open(user: ada, lane: 1), fixture.open(user: bob, lane: 1),
      fixture.open(user: id(3)),
    ]
    fixture.commit(.user(ada), .members(room, [ada, bob]), .everyone)
    fixture.drain()
    #expect(streams.map(\.ids) == [[1, 2, 3], [1, 2, 3], [2, 3], [3]])
  }

  @Test("events during the log read are delivered once, after it")
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

  @Test("an id that is trimmed or does not exist yet results in a reset, then the stream goes live")
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

  @Test("a log that is trimmed during a slow reader's replay results in a reset in the middle")
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

  @Test("what differs by reader is read from the log by each live stream, in its place among the others", .shows("L2"))
  func views() async throws {
    let fixture = BrokerFixture()
    fixture.door.open()
    for (user, name) in [(ada, "Ada"), (bob, "Bob")] {
      _ = try await fixture.store.createAccount(
        NewAccount(
          id: user, email: name, passwordHash: "", firstName: name, lastName: "", createdAt: fixture.clock.now))
    }
    let group: RoomID = id(50)
    _ = try await fixture.store.createGroup(
      NewGroup(id: group, makerID: ada, name: "G", memberIDs: [bob], createdAt: fixture.clock.now))
    let streams = [fixture.open(user: ada), fixture.open(user: bob, lane: 1)]
    for stream in streams { _ = stream.read() }
    fixture.commit(.everyone)
    _ = try await fixture.store.changeGroup(group, by: ada, GroupChange(name: "H"), at: fixture.clock.now)
    fixture.commit(.everyone)
    fixture.drain()
    _ = try await fixture.store.changeGroup(group, by: ada, GroupChange(name: "I"), at: fixture.clock.now)
    fixture.drain()
    fixture.commit(.everyone)
    fixture.drain()
    for (stream, role) in zip(streams, ["owner", "member"]) {
      let frames = stream.read().filter { $0.id != nil }
      let names = ["test", "room.updated", "room.changed", "test", "room.updated", "room.changed", "test"]
      #expect(frames.map(\.name) == names)
      #expect(frames.compactMap(\.id) == Array((frames[0].id ?? 0)...((frames[0].id ?? 0) + 6)))
      #expect(frames[1].data.contains(#""name":"H""#) && frames[4].data.contains(#""name":"I""#))
      #expect([1, 4].allSatisfy { frames[$0].data.contains(#""role":"\#(role)""#) })
    }
  }

  @Test("a view that the log does not give closes the stream, which comes back by its last id")
  func failedView() async throws {
    let fixture = BrokerFixture()
    let group: RoomID = id(50)
    _ = try await fixture.store.createAccount(
      NewAccount(id: ada, email: "a", passwordHash: "", firstName: "Ada", lastName: "", createdAt: fixture.clock.now))
    _ = try await fixture.store.createGroup(
      NewGroup(id: group, makerID: ada, name: "G", memberIDs: [], createdAt: fixture.clock.now))
    fixture.door.open()
    let stream = fixture.open(user: ada)
    _ = try await fixture.store.changeGroup(group, by: ada, GroupChange(name: "H"), at: fixture.clock.now)
    fixture.store.failure = .unavailable("for this test")
    fixture.drain()
    #expect(stream.isClosed && stream.read().allSatisfy { $0.name != "room.updated" })
  }

  @Test("the buffer is bounded; dropped events are read from the log")
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
    // The log has been read; the result is on its way.
    for _ in 0..<10 { fixture.commit(.everyone) }
    fixture.drain()
    #expect(stream.frames.isEmpty)
    // The result arrives, and so does the next one up to its own delivery, as before.
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

  @Test("the buffer's bytes are bounded too, even for a stream without an id")
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

  @Test("a replay is delivered in bounded pieces, each once the previous one has drained", .shows("control 21"))
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

  @Test("a subscriber that does not drain delays nobody else", .shows("H2"))
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

  @Test("a long replay yields the lane between its pages")
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

  @Test("announcements have no id, reach their audience except the originator, and overtake a replay")
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

  @Test("announcements made before hello are delivered after it")
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

  @Test("streams get a ping every 15 seconds from one timer per lane, which stops when there are none")
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
