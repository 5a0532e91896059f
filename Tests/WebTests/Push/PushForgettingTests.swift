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

@Suite("Web Push state ends with its session")
struct PushForgettingTests {
  /// The ways to end the phone's session.
  enum End: CaseIterable {
    case signOut, fromElsewhere, allOthers, newPassword, unsubscribed

    func happen(_ phone: Person, _ laptop: Person) async throws {
      switch self {
      case .signOut: #expect(try await phone.send(.delete, "/session").status == .noContent)
      case .fromElsewhere:
        let mine = try await phone.send(.get, "/sessions").json()
        let id = try #require(mine.array.first { $0["current"]?.flag == true }?["id"]?.text)
        #expect(try await laptop.send(.delete, "/sessions/\(id)").status == .noContent)
      case .allOthers: #expect(try await laptop.send(.delete, "/sessions").status == .noContent)
      case .newPassword:
        let change = #"{"current":"\#(Person.password)","new":"difference engine"}"#
        #expect(try await laptop.send(.put, "/me/password", change).status == .noContent)
      case .unsubscribed: #expect(try await phone.send(.delete, "/push/subscription").status == .noContent)
      }
    }
  }

  @Test(
    "What a browser was shown is forgotten when its session ends, in any way", .shows("A5", "T1"),
    arguments: End.allCases)
  func ended(_ end: End) async throws {
    try await PushFixture.with { world in
      let laptop = try await world.hub.signIn(world.ada)
      try await world.subscribe(world.ada, "phone")
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      try await eventually { !isForgotten(world) }
      try await end.happen(world.ada, laptop)
      #expect(isForgotten(world))
    }
  }

  @Test(
    "It is also forgotten if the session ends while a push is in flight", .shows("A5", "T1"),
    arguments: End.allCases)
  func onItsWay(_ end: End) async throws {
    try await PushFixture.with { world in
      let laptop = try await world.hub.signIn(world.ada)
      try await world.subscribe(world.ada, "phone")
      world.service.hold()
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      try await eventually { world.service.held == 1 }
      try await end.happen(world.ada, laptop)
      world.service.release()
      _ = try await world.service.push(0)
      try await eventually { world.hub.push?.state.withLock { $0.running.isEmpty } == true }
      #expect(world.hub.push?.counts.accepted == 1)
      #expect(isForgotten(world))
    }
  }

  @Test("An ended session keeps neither a retry nor the pause after a test", .shows("A5", "T1"))
  func waiting() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      #expect(try await world.ada.send(.post, "/push/test", #"{"text":"hi"}"#).status == .noContent)
      world.service.answer("phone", with: [TransportResponse(status: 503)])
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      await world.hub.clock.waits(for: .seconds(10))
      #expect(world.waiting == 1)
      #expect(try await world.ada.send(.delete, "/session").status == .noContent)
      #expect(world.waiting == 0)
      #expect(world.hub.push?.state.withLock { $0.testedAt.isEmpty } == true)
    }
  }

  @Test("An expired session's state is removed by the next message to its person", .shows("A5", "T1"))
  func expired() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      try await world.bob.say("one", in: world.room)
      try await world.passGrace()
      try await eventually { !isForgotten(world) }
      world.hub.clock.advance(by: .seconds(AccountRules.sessionLifetime + 1))
      let bob = try await world.hub.signIn(world.bob)
      try await bob.say("two", in: world.room)
      try await world.passGrace()
      try await eventually { isForgotten(world) }
      #expect(world.service.pushes.count == 1)
    }
  }

  private func isForgotten(_ world: PushFixture) -> Bool {
    world.hub.push?.state.withLock { $0.shown.isEmpty } == true
  }
}
