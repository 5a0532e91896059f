import Chat
import ChatTesting
import EventLoop
import HTTP
import HTTPServer
import HTTPServerTesting
import Outbound
import Synchronization
import TestSupport
import Testing

@testable import Web
@testable import WebPush

@Suite("Web Push routes")
struct PushRouteTests {
  @Test("The key is the same for everyone and permanent; without Web Push there is none", .shows("T1"))
  func key() async throws {
    try await PushFixture.with { world in
      let key = try await world.ada.get("/push").json()["public_key"]?.text
      #expect(key.flatMap { Base64URL.decode($0) }?.count == 65)
      #expect(try await world.bob.get("/push").json()["public_key"]?.text == key)
      #expect(try await world.ada.get("/push").json()["subscribed"]?.flag == false)
      try await world.subscribe(world.ada, "phone")
      #expect(try await world.ada.get("/push").json()["subscribed"]?.flag == true)
      #expect(try await world.bob.get("/push").json()["subscribed"]?.flag == false)
    }
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      try await ada.get("/push").expectProblem(.serviceUnavailable, "unavailable")
    }
  }

  @Test(
    "A subscription with an endpoint outside the push services, or wrong keys, is refused at its field",
    .shows("control 11", "T1"),
    arguments: [
      (#"{"keys":{"p256dh":"KEY","auth":"AUTH"}}"#, ["endpoint"]),
      (#"{"endpoint":"https://127.0.0.1/x","keys":{"p256dh":"KEY","auth":"AUTH"}}"#, ["endpoint"]),
      (#"{"endpoint":"http://fcm.googleapis.com/x","keys":{"p256dh":"KEY","auth":"AUTH"}}"#, ["endpoint"]),
      (#"{"endpoint":"https://fcm.googleapis.com/LONG","keys":{"p256dh":"KEY","auth":"AUTH"}}"#, ["endpoint"]),
      (#"{"endpoint":"https://fcm.googleapis.com/x"}"#, ["keys.p256dh", "keys.auth"]),
      (
        #"{"endpoint":"https://fcm.googleapis.com/x","keys":{"p256dh":"AUTH","auth":"KEY"}}"#,
        ["keys.p256dh", "keys.auth"]
      ),
      (#"{"endpoint":1,"keys":{"p256dh":true,"auth":"AUTH"}}"#, ["endpoint", "keys.p256dh"]),
    ])
  func refusals(body: String, fields: [String]) async throws {
    let browser = #"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"#
    let text = body.replacing("KEY", with: browser).replacing("AUTH", with: "BTBZMqHH6r4Tts7J_aSIgg")
      .replacing("LONG", with: String(repeating: "x", count: 1025))
    try await PushFixture.with { world in
      let answer = try await world.ada.send(.put, "/push/subscription", text)
      let codes = try answer.expectProblem(.unprocessableContent, "invalid")
      #expect(Set(codes.keys) == Set(fields))
      try await world.ada.send(.post, "/push/test", #"{"text":"x"}"#).expectProblem(.conflict, "conflict")
    }
  }

  @Test("A browser that signs in as somebody else is theirs only; of over twenty the oldest goes", .shows("T1"))
  func takenOver() async throws {
    try await PushFixture.with({ $0.subscriptions = 2 }) { world in
      let subscription = world.service.subscribe("shared")
      #expect(try await world.ada.send(.put, "/push/subscription", subscription).status == .noContent)
      #expect(try await world.bob.send(.put, "/push/subscription", subscription).status == .noContent)
      #expect(try await world.ada.send(.delete, "/push/subscription").status == .notFound)
      var sessions = [world.ada]
      for number in 1...3 {
        if number > 1 { sessions.append(try await world.hub.signIn(world.ada)) }
        try await world.subscribe(sessions[number - 1], "device\(number)")
      }
      try await world.bob.say("hello", in: world.room)
      try await world.passGrace()
      _ = try await world.service.push(1)
      #expect(Set(world.service.pushes.map(\.browser)) == ["device2", "device3"])
    }
  }

  @Test("A test needs a text of limited length", .shows("T1"))
  func testTexts() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      let long = String(repeating: "x", count: 201)
      for body in ["{}", #"{"text":"\#(long)"}"#] {
        try await world.ada.send(.post, "/push/test", body).expectProblem(.unprocessableContent, "invalid")
      }
    }
  }

  @Test("The do-not-disturb hours are replaced as a whole, and each of their members is checked", .shows("T2"))
  func hours() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      func set(_ hours: String) async throws -> TestResponse {
        try await ada.send(.patch, "/me", #"{"settings":{"do_not_disturb":\#(hours)}}"#)
      }
      let wrong = [
        ("{}", ["on", "from", "to", "utc_offset"]),
        (#"{"on":true,"from":"24:00","to":7,"utc_offset":0}"#, ["from", "to"]),
        (#"{"on":1,"from":"22:00","to":"07:00","utc_offset":841}"#, ["on", "utc_offset"]),
      ]
      for (hours, fields) in wrong {
        let codes = try await set(hours).expectProblem(.unprocessableContent, "invalid")
        #expect(Set(codes.keys) == Set(fields.map { "settings.do_not_disturb." + $0 }), "\(hours)")
      }
      #expect(try await set("7").expectProblem(.unprocessableContent, "invalid").keys.count == 1)
      #expect(try await set("null").status == .ok)
      let kept = try await set(#"{"on":true,"from":"23:15","to":"06:05","utc_offset":-210}"#).json()
      let hours = try await ada.get("/session").json()["settings"]?["do_not_disturb"]
      #expect(hours == kept["settings"]?["do_not_disturb"])
      #expect(hours?["from"]?.text == "23:15" && hours?["to"]?.text == "06:05" && hours?["on"]?.flag == true)
      #expect(hours?["utc_offset"]?.integer == -210)
    }
  }

  @Test("Over real connections a push arrives as its service and browser require", .shows("T1"))
  func overHTTP() async throws {
    let group = try EventLoopGroup(count: 1)
    group.start()
    let taken = Mutex<FakePushService?>(nil)
    var configuration = Server.Configuration()
    configuration.drainSeconds = 1
    let server = Server(
      configuration: configuration, application: PushApplication(service: { taken.withLock { $0 } }), group: group)
    let origin = "http://127.0.0.1:\(try server.start())"
    let service = FakePushService(origin: origin)
    taken.withLock { $0 = service }
    var options = TestHub.Options()
    options.pushTransport = CurlTransport()
    // Irrelevant to this test, and tests share the machine.
    options.pushLimits.answer = .seconds(600)
    options.pushHosts = try #require(PushHosts(adding: origin))
    try await TestHub.with(options) { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let answer = try await ada.send(.put, "/push/subscription", service.subscribe("phone"))
      #expect(answer.status == .noContent, "\(answer.text)")
      #expect(try await ada.send(.post, "/push/test", #"{"text":"It works."}"#).status == .noContent)
      #expect(try await service.push(0).content.text == "It works.")
      try await bob.say("Grüße", in: ada.room(with: bob))
      await hub.clock.waits(for: .seconds(4))
      hub.clock.advance(by: .seconds(4))
      let push = try await service.push(1)
      #expect(push.content.text == "Grüße" && push.fields["topic"]?.utf8.count == 32)
    }
    await server.shutdown()
    group.stop()
  }
}

/// A push service as a server, without the router, which accepts no body with a content coding.
private struct PushApplication: Application {
  let service: @Sendable () -> FakePushService?

  func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
    let names: [FieldName] = ["content-encoding", "authorization", "ttl", "urgency", "topic"]
    let responder = Responder.immediate { request in
      var fields: [String: String] = [:]
      for name in names { fields[name.description] = request.head[name] }
      let answer = service()?.take(path: request.head.path, fields: fields, body: Array(request.body))
      return Response(status: Status(answer?.status ?? 500))
    }
    return (Endpoint(responder: responder, pattern: "*"), [:])
  }
}
