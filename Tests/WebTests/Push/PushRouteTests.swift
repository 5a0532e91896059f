import Chat
import EventLoop
import HTTP
import HTTPServer
import Outbound
import Synchronization
import Testing

@testable import Web
@testable import WebPush

@Suite("The routes of Web Push")
struct PushRouteTests {
  @Test("T1 The key is the same for everybody and for good; without Web Push there is none")
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
    "SECURITY 11 T1 A subscription that leads anywhere but to a push service, or has wrong keys, is refused at its field",
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

  @Test("T1 A browser that comes back as somebody else is his alone; of more than twenty the oldest goes")
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

  @Test("T1 A test needs words, and not too many of them")
  func testTexts() async throws {
    try await PushFixture.with { world in
      try await world.subscribe(world.ada, "phone")
      let long = String(repeating: "x", count: 201)
      for body in ["{}", #"{"text":"\#(long)"}"#] {
        try await world.ada.send(.post, "/push/test", body).expectProblem(.unprocessableContent, "invalid")
      }
    }
  }

  @Test("T2 The hours of do-not-disturb are given whole, and each of their members is checked")
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

  @Test("T1 Over real connections, too, a push arrives as its service and its browser want it")
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
    options.pushTransport = URLSessionTransport(clock: ManualClock())
    // Not this test's business, and all tests share the machine.
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
      hub.clock.advance(seconds: 4)
      let push = try await service.push(1)
      #expect(push.content.text == "Grüße" && push.fields["topic"]?.utf8.count == 32)
    }
    await server.shutdown()
    group.stop()
  }
}

/// A push service as a server. Not by the router, which takes no body in a coding.
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
