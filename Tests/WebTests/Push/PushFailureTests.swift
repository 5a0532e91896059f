import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import Logging
import Outbound
import TestSupport
import Testing

@testable import Web
@testable import WebPush

@Suite("Failing push services")
struct PushFailureTests {
  @Test("A subscription that its push service declares gone is deleted", .shows("T1"), arguments: [404, 410])
  func gone(status: Int) async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      world.service.answer("phone", with: [TransportResponse(status: status)])
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      try await eventually { world.hub.push?.counts.gone == 1 }
      try await eventually { try await world.ada.send(.delete, "/push/subscription").status == .notFound }
      #expect(world.service.pushes.isEmpty)
    }
  }

  @Test(
    "A service that is not ready is retried after its delay, unless the message is read meanwhile",
    .shows("T1")
  )
  func later() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      world.service.answer("phone", with: [TransportResponse(status: 429, fields: ["Retry-After": "60"])])
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      await world.hub.clock.waits(for: .seconds(60))
      let other = try await world.group("Other")
      try await world.bob.say("two", in: other)
      try await world.passGrace(calls: 2)
      await world.hub.clock.waits(for: .seconds(56))
      #expect(world.service.pushes.isEmpty)
      _ = try await world.ada.send(.put, "/rooms/\(world.room)/receipt", #"{"read_seq":1}"#)
      world.hub.clock.advance(by: .seconds(56))
      #expect(try await world.service.push(0).content.text == "two")
      #expect(world.service.pushes.count == 1)
    }
  }

  @Test(
    "An unreachable service is retried ever less often, five times in all; then the push is dropped",
    .shows("T1"))
  func givenUp() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      world.service.answer("phone", with: Array(repeating: TransportResponse(status: 503), count: 5))
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      for pause in [10, 20, 40, 80] as [Int64] {
        await world.hub.clock.waits(for: .seconds(pause))
        world.hub.clock.advance(by: .seconds(pause))
      }
      try await eventually { world.hub.push?.counts.dropped == 1 }
      try await world.bob.say("two", in: world.room)
      try await world.passGrace()
      #expect(try await world.service.push(0).content.text == "two")
    }
  }

  @Test(
    "A refused push is dropped and keeps the subscription; a test returns the service's response",
    .shows("T1"))
  func refused() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      world.service.answer("phone", with: [TransportResponse(status: 403), TransportResponse(status: 400)])
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      try await eventually { world.hub.push?.counts.refused == 1 }
      let test = try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#)
      try test.expectProblem(.serviceUnavailable, "unavailable")
      #expect(test.text.contains("400"))
      let soon = try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#)
      try soon.expectProblem(.tooManyRequests, "rate-limited")
      #expect(soon.fields[.retryAfter] != nil)
      world.hub.clock.advance(by: .seconds(5))
      #expect(try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#).status == .noContent)
      world.hub.clock.advance(by: .seconds(5))
      world.service.answer("phone", with: [TransportResponse(status: 503)])
      try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#).expectProblem(.serviceUnavailable, "unavailable")
      world.hub.clock.advance(by: .seconds(5))
      world.service.answer("phone", with: [TransportResponse(status: 410)])
      try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#).expectProblem(.conflict, "conflict")
      try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#).expectProblem(.conflict, "conflict")
    }
  }

  @Test("A full queue drops and counts calls, and no sender waits", .shows("T1"))
  func full() async throws {
    try await PushFixture.with({ $0.waiting = 1 }) { world in
      try await world.subscribe(world.ada, "phone")
      let other = try await world.group("Other")
      try await world.bob.say("one", in: world.room)
      try await eventually { world.waiting == 1 }
      try await world.bob.say("two", in: other)
      try await eventually { world.hub.push?.counts.dropped == 1 }
      try await world.passGrace()
      #expect(try await world.service.push(0).content.text == "one")
      world.hub.push?.close()
      try await world.bob.say("three", in: world.room)
      #expect(world.waiting == 0)
    }
  }

  @Test(
    "The log contains the push service and its status, but not who, what, or the browser's endpoint",
    .shows("control 15", "T1")
  )
  func log() async throws {
    let log = RecordedLog()
    let service = FakePushService()
    var options = TestHub.Options()
    options.pushTransport = service
    options.logger = log.logger
    try await TestHub.with(options) { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      _ = try await ada.send(.put, "/push/subscription", service.subscribe("canary-browser"))
      service.answer("canary-browser", with: [TransportResponse(status: 500), TransportResponse(status: 400)])
      try await bob.say("canary text", in: room)
      await hub.clock.waits(for: .seconds(4))
      hub.clock.advance(by: .seconds(4))
      await hub.clock.waits(for: .seconds(10))
      hub.clock.advance(by: .seconds(10))
      try await eventually { hub.push?.counts.refused == 1 }
      try await eventually { log.lines.contains { $0.contains("refused") } }
      let text = log.text
      #expect(text.contains("updates.push.services.mozilla.com"))
      #expect(!text.contains("canary") && !text.contains("Bob"))
    }
  }
}
