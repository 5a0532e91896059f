import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import Synchronization
import TestSupport
import Testing

@testable import Web
@testable import WebPush

/// A hub with a push service and two people: Bob writes, Ada is notified.
struct PushFixture: Sendable {
  let hub: TestHub
  let service: FakePushService
  let ada: Person
  let bob: Person
  /// The chat of the two.
  let room: String

  /// Runs `body` with a fixture; calls are processed one at a time, in order.
  static func with(
    _ change: (inout WebPush.Limits) -> Void = { _ in }, _ body: (PushFixture) async throws -> Void
  ) async throws {
    let service = FakePushService()
    var options = TestHub.Options()
    options.pushTransport = service
    options.pushLimits.atOnce = 1
    change(&options.pushLimits)
    try await TestHub.with(options) { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      try await body(
        PushFixture(hub: hub, service: service, ada: ada, bob: bob, room: try await ada.room(with: bob)))
    }
  }

  /// Subscribes a session's browser.
  func subscribe(_ person: Person, _ name: String) async throws {
    let answer = try await person.send(.put, "/push/subscription", service.subscribe(name))
    #expect(answer.status == .noContent, "\(answer.text)")
  }

  /// The number of waiting calls.
  var waiting: Int { hub.push?.state.withLock { $0.waiting.count } ?? 0 }

  /// Waits for this many calls to be queued, and lets their grace period pass.
  func passGrace(calls: Int = 1) async throws {
    try await eventually { waiting >= calls }
    hub.clock.advance(by: .seconds(4))
  }

  /// Waits until all calls have been answered: with a push, or by deciding against one.
  func finishCalls() async throws {
    try await eventually {
      hub.push?.state.withLock { $0.waiting.isEmpty && $0.ready.isEmpty && $0.running.isEmpty } ?? true
    }
  }

  /// A group of the two and somebody else, so that order can be shown.
  func group(_ name: String) async throws -> String {
    let answer = try await bob.send(
      .post, "/rooms", #"{"kind":"group","name":"\#(name)","member_ids":["\#(ada.id)"]}"#)
    return try #require(try answer.json()["id"]?.text)
  }

  /// Fails unless messages in `rooms` cause no push, shown by a later message elsewhere that does.
  func expectSilence(in rooms: [String]) async throws {
    let before = service.pushes.count
    let other = try await group("Elsewhere")
    try await eventually { waiting >= rooms.count }
    try await bob.say("after all others", in: other)
    try await passGrace(calls: rooms.count + 1)
    let push = try await service.push(before)
    try await finishCalls()
    #expect(push.content.room_id == other)
    #expect(service.pushes.count == before + 1)
  }
}
