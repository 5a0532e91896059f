import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import Web
@testable import WebPush

@Suite("Web Push")
struct PushTests {
  @Test(
    "A message to somebody without an open page is pushed, encrypted for their browser and signed, once per chat",
    .shows("T1"))
  func message() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      try await world.bob.say("Hello", in: world.room)
      try await world.bob.say("Are you there?", in: world.room)
      try await world.passGrace()
      let push = try await world.service.push(0)
      #expect(push.content.type == "message" && push.content.room_id == world.room && push.content.seq == 2)
      #expect(push.content.sender == "Bob" && push.content.text == "Are you there?" && push.content.room == nil)
      #expect(push.fields["urgency"] == "high")
      // The newer one replaces the older at the push service, too.
      try await world.bob.say("Well then", in: world.room)
      try await world.passGrace()
      #expect(try await world.service.push(1).fields["topic"] == push.fields["topic"])
      #expect(world.service.pushes.count == 2)
      #expect(world.hub.push?.counts == WebPush.Counts(accepted: 2))
    }
  }

  @Test("A session with an open page gets no push; another one of the same person does", .shows("T1"))
  func openPage() async throws {
    try await PushFixture.with { world in
      let laptop = try await world.hub.signIn(world.ada)
      try await world.subscribe(world.ada, "phone")
      try await world.subscribe(laptop, "laptop")
      var stream: TestEventStream? = try await laptop.events(world.hub.socket())
      #expect(try await stream?.next()?.name == "hello")
      try await world.bob.say("Hello", in: world.room)
      try await world.passGrace()
      #expect(try await world.service.push(0).browser == "phone")
      stream = nil
      try await eventually { world.hub.broker.streamCount == 0 }
      try await world.bob.say("Hello again", in: world.room)
      try await world.passGrace()
      _ = try await world.service.push(2)
      #expect(Set(world.service.pushes[1...].map(\.browser)) == ["phone", "laptop"])
    }
  }

  @Test("Messages read or deleted within the grace period are not pushed", .shows("T1"))
  func grace() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      try await world.bob.say("read", in: world.room)
      _ = try await world.ada.send(.put, "/rooms/\(world.room)/receipt", #"{"read_seq":1}"#)
      let group = try await world.group("Deleted")
      let seq = try await world.bob.say("deleted", in: group)
      _ = try await world.bob.send(.delete, "/rooms/\(group)/messages/\(seq)")
      try await world.expectSilence(in: [world.room, group])
    }
  }

  @Test(
    "Muted chats, excluded levels and left chats cause no push; a mention does",
    .shows("T1", "T2", "R3"))
  func levels() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      let (muted, mentions, nothing) = (
        try await world.group("Muted"), try await world.group("Mentions"), try await world.group("Nothing")
      )
      let left = try await world.group("Left")
      _ = try await world.ada.send(.patch, "/rooms/\(muted)", #"{"muted":true}"#)
      _ = try await world.ada.send(.patch, "/rooms/\(mentions)", #"{"mention_level":"mentions"}"#)
      _ = try await world.ada.send(.patch, "/rooms/\(nothing)", #"{"mention_level":"nothing"}"#)
      for room in [muted, mentions, nothing, left] { try await world.bob.say("psst @Ada2", in: room) }
      _ = try await world.ada.send(.delete, "/rooms/\(left)/membership")
      try await world.expectSilence(in: [muted, mentions, nothing, left])
      // An older mention counts although a newer message does not.
      try await world.bob.say("look, @Ada", in: mentions)
      try await world.bob.say("never mind", in: mentions)
      try await world.passGrace()
      let push = try await world.service.push(1)
      #expect(push.content.text == "look, @Ada" && push.content.room == "Mentions")
      #expect(push.fields["urgency"] == "high")
    }
  }

  @Test("During do-not-disturb hours, in local time, nothing is pushed except a test", .shows("T2"))
  func doNotDisturb() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      // The hub's clock says 13:33 UTC; with an offset of ten hours that is 23:33.
      let quiet = #"{"settings":{"do_not_disturb":{"on":true,"from":"22:00","to":"07:00","utc_offset":600}}}"#
      let answer = try await world.ada.send(.patch, "/me", quiet)
      #expect(answer.status == .ok, "\(answer.text)")
      try await world.bob.say("psst", in: world.room)
      try await world.passGrace()
      // Otherwise it could be decided upon after the hours are switched off.
      try await world.finishCalls()
      #expect(try await world.ada.send(.post, "/push/test", #"{"text":"It works."}"#).status == .noContent)
      #expect(try await world.service.push(0).content.type == "test")
      _ = try await world.ada.send(.patch, "/me", quiet.replacing("true", with: "false"))
      try await world.bob.say("hello", in: world.room)
      try await world.passGrace()
      #expect(try await world.service.push(1).content.text == "hello")
    }
  }

  @Test("A subscription ends with its session: by signing out, or from another session", .shows("T1"))
  func sessions() async throws {
    try await PushFixture.with { world in
      let laptop = try await world.hub.signIn(world.ada)
      try await world.subscribe(world.ada, "phone")
      try await world.subscribe(laptop, "laptop")
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      _ = try await world.service.push(1)
      #expect(try await world.ada.send(.delete, "/session").status == .noContent)
      try await world.bob.say("two", in: world.room)
      try await world.passGrace()
      #expect(try await world.service.push(2).browser == "laptop")
      #expect(try await laptop.send(.delete, "/push/subscription").status == .noContent)
      #expect(try await laptop.send(.delete, "/push/subscription").status == .notFound)
      // No subscription is left: the next message finds that out, the one after it does not even wait.
      try await world.bob.say("three", in: world.room)
      try await world.passGrace()
      try await eventually { world.hub.push?.state.withLock { $0.subscribers.isEmpty } == true }
      #expect(world.service.pushes.count == 3)
    }
  }

  @Test("Chats read elsewhere are closed by the next push of another chat", .shows("T1"))
  func withdrawn() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      #expect(try await world.service.push(0).content.closed == [])
      let laptop = try await world.hub.signIn(world.ada)
      _ = try await laptop.send(.put, "/rooms/\(world.room)/receipt", #"{"read_seq":1}"#)
      let other = try await world.group("Other")
      try await world.bob.say("two", in: other)
      try await world.passGrace()
      #expect(try await world.service.push(1).content.closed == [world.room])
      try await world.bob.say("three", in: other)
      try await world.passGrace()
      #expect(try await world.service.push(2).content.closed == [])
    }
  }
}
