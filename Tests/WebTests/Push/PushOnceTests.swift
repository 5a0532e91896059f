import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import Web
@testable import WebPush

@Suite("Each message is pushed once per browser")
struct PushOnceTests {
  /// What a browser was sent from a chat, in order.
  private func told(_ browser: String, of room: String, by service: FakePushService) -> [String] {
    service.pushes.filter { $0.browser == browser && $0.content.room_id == room }.map(\.content.text)
  }

  /// No call is waiting or being processed.
  private func isIdle(_ world: PushFixture) -> Bool {
    world.hub.push?.state.withLock { $0.waiting.isEmpty && $0.running.isEmpty } == true
  }

  @Test(
    "A message that arrives during pushes of the previous one to several browsers is sent once to each", .shows("T1"))
  func duringAnother() async throws {
    try await PushFixture.with { world in
      let laptop = try await world.hub.signIn(world.ada)
      try await world.subscribe(world.ada, "phone")
      try await world.subscribe(laptop, "laptop")
      world.service.hold()
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      try await eventually { world.service.held == 1 }
      try await world.bob.say("two", in: world.room)
      try await eventually { world.waiting == 1 }
      world.service.release()
      // The second browser is processed when the message has arrived already.
      #expect(try await world.service.push(1).content.text == "two")
      try await world.passGrace()
      #expect(try await world.service.push(2).browser == "phone")
      try await eventually { isIdle(world) }
      try await world.bob.say("three", in: world.room)
      try await world.passGrace()
      try await eventually { told("laptop", of: world.room, by: world.service).last == "three" }
      #expect(told("phone", of: world.room, by: world.service) == ["one", "two", "three"])
      #expect(told("laptop", of: world.room, by: world.service) == ["two", "three"])
    }
  }

  @Test("If a newer message was faster, a retry does not send it again", .shows("T1"))
  func overtaken() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      world.service.answer("phone", with: [TransportResponse(status: 503)])
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      await world.hub.clock.waits(for: .seconds(10))
      try await world.bob.say("two", in: world.room)
      try await world.passGrace(calls: 2)
      #expect(try await world.service.push(0).content.text == "two")
      await world.hub.clock.waits(for: .seconds(6))
      world.hub.clock.advance(by: .seconds(6))
      try await eventually { isIdle(world) }
      try await world.bob.say("three", in: world.room)
      try await world.passGrace()
      _ = try await world.service.push(1)
      #expect(told("phone", of: world.room, by: world.service) == ["two", "three"])
    }
  }

  @Test(
    "A retry and a concurrent call for a newer message send it once; other chats proceed",
    .shows("T1"))
  func atTheSameMoment() async throws {
    try await PushFixture.with({ $0.atOnce = 8 }) { world in
      try await world.subscribe(world.ada, "phone")
      world.service.answer("phone", with: [TransportResponse(status: 503)])
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      await world.hub.clock.waits(for: .seconds(10))
      world.hub.clock.advance(by: .seconds(6))
      world.service.hold()
      let other = try await world.group("Other")
      try await world.bob.say("two", in: world.room)
      try await world.bob.say("elsewhere", in: other)
      try await world.passGrace(calls: 3)
      try await eventually { world.service.held == 2 }
      // The other call for the same chat waits for its turn.
      #expect(world.waiting == 1)
      world.service.release()
      try await eventually { isIdle(world) }
      try await world.bob.say("three", in: world.room)
      try await world.passGrace()
      _ = try await world.service.push(2)
      #expect(told("phone", of: world.room, by: world.service) == ["two", "three"])
      #expect(told("phone", of: other, by: world.service) == ["elsewhere"])
    }
  }
}
