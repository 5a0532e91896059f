import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

/// Every route of a room × {nobody, an outsider, a removed and a banned member, a member, an admin, the owner}.
/// `RoomRoute` has the expected responses.
@Suite("Outsiders")
struct OutsiderTests {
  /// The routes that need no sign-in.
  static let open: Set<String> = [
    "POST /api/v1/accounts", "POST /api/v1/session", "GET /api/openapi.json", "GET /api/v1/invitations/:invitation",
  ]

  /// A request to a route by one kind of person.
  private struct Trial {
    let cast: Cast
    let route: RoomRoute
    let actor: Actor
    var room: String
    var seq = "1"
    var invitation = InvitationID(at: Timestamp(milliseconds: 0)).description

    func send() async throws -> TestResponse {
      let path =
        String(route.pattern.dropFirst("/api/v1".count)).replacing(":room", with: room)
        .replacing(":seq", with: seq).replacing(":emoji", with: "%F0%9F%91%8D")
        .replacing(":user", with: cast.target.id.description).replacing(":invitation", with: invitation) + route.query
      var fields = Fields()
      if actor != .nobody { fields.set(.cookie, cast[actor].cookie) }
      if route.sendsPicture {
        fields.set(.contentType, "image/png")
        // One per kind, so that each request changes something.
        let salt = UInt8(Actor.allCases.firstIndex(of: actor) ?? 0)
        return try await cast.hub.memory.send(
          route.method, "/api/v1" + path, fields: fields, body: Pictures.png(8, 8, salt: salt))
      }
      if route.body != nil { fields.set(.contentType, "application/json") }
      return try await cast.hub.memory.send(route.method, "/api/v1" + path, fields: fields, text: route.body ?? "")
    }

    /// Fills in the path's parameters.
    mutating func prepare() async throws {
      let author = route.author == .other ? cast.other : actor.isIn ? cast[actor] : cast.owner
      seq = String(try await author.say("secret", in: room))
      invitation = try await cast.invite(room).id
      let path = "/rooms/\(room)/"
      let target = cast.target.id
      _ = try await cast.owner.send(.delete, path + "bans/\(target)")
      _ = try await cast.owner.send(.delete, path + "members/\(target)")
      if route.target == .inside { _ = try await cast.owner.send(.put, path + "members/\(target)", "{}") }
      if route.target == .banned { _ = try await cast.owner.send(.put, path + "bans/\(target)", "{}") }
    }

    /// Fails unless the actor really has that relation to the room.
    func prove() async throws {
      let members = try await cast.hub.store.members(of: try #require(RoomID(room)), for: cast.owner.id)
      try #require(members.contains { $0.user.id == cast.owner.id })
      guard actor != .nobody else { return }
      let role = members.first { $0.user.id == cast[actor].id }?.role
      try #require(role?.rawValue == (actor.isIn ? actor.rawValue : nil), "\(actor) \(route)")
      let banned = try await cast.owner.get("/rooms/\(room)/bans").json().array.map { $0["id"]?.text }
      try #require(banned.contains("\(cast[actor].id)") == (actor == .banned))
      if !actor.isIn { try #require(try await !cast[actor].lists(room)) }
    }

    /// A refused request changes nothing and reveals nothing to outsiders.
    func check(_ expected: Status) async throws {
      let before = try await cast.state(of: room)
      let answer = try await send()
      #expect(answer.status == expected, "\(route) by \(actor): \(answer.text)")
      switch expected {
      case .unauthorized: try answer.expectProblem(.unauthorized, "unauthenticated")
      case .forbidden: try answer.expectProblem(.forbidden, "forbidden")
      case .conflict: try answer.expectProblem(.conflict, "conflict")
      case .notFound:
        try answer.expectProblem(.notFound, "not-found")
        var missing = self
        missing.room = RoomID(at: cast.hub.clock.now).description
        #expect(try await missing.send().body == answer.body, "\(route) tells \(actor) that there is such a room")
      default: if expected.code < 300 { return }
      }
      #expect(try await cast.state(of: room) == before, "\(route) by \(actor) changed something")
    }
  }

  @Test("No route of a room is missing in this table", .shows("control 8"))
  func complete() async throws {
    try await TestHub.with { hub in
      let offered = hub.application.router.routes().filter {
        $0.pattern.hasPrefix("/api/") && $0.pattern.contains(":room")
      }
      let known = Set(RoomRoute.table.map(\.description))
      #expect(Set(offered.map { "\($0.method) \($0.pattern)" }) == known)
    }
  }

  @Test(
    "In a private group each route responds to each kind of person as in the table, after proving the kind",
    .shows("control 8", "R1"))
  func privateGroup() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      for route in RoomRoute.table {
        let room = try await cast.group()
        for actor in Actor.allCases {
          var trial = Trial(cast: cast, route: route, actor: actor, room: room)
          try await trial.prepare()
          try await trial.prove()
          try await trial.check(route.status(for: actor))
        }
      }
    }
  }

  @Test("Outsiders to a public group can read its name and join, and nothing else", .shows("control 8", "R1"))
  func publicGroup() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      for route in RoomRoute.table {
        let room = try await cast.group(isPublic: true)
        for actor in Actor.allCases where !actor.isIn {
          var trial = Trial(cast: cast, route: route, actor: actor, room: room)
          try await trial.prepare()
          try await trial.prove()
          try await trial.check(route.publicStatus(for: actor))
        }
      }
    }
  }

  @Test(
    "In a direct room the two are served, others get 404, and group operations are refused", .shows("control 8"))
  func directRoom() async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      // Its owner is one of the two, the other is the other member.
      let room = try await cast.owner.room(with: cast.other)
      let before = RoomRoute.table.filter { $0.direct.code < 300 }
      let refused = RoomRoute.table.filter { $0.direct.code >= 300 }
      for route in before + refused {
        for actor in [Actor.nobody, .outsider, .owner] {
          var trial = Trial(cast: cast, route: route, actor: actor, room: room)
          trial.seq = String(try await (route.author == .other ? cast.other : cast.owner).say("secret", in: room))
          let members = try await hub.store.members(of: try #require(RoomID(room)), for: cast.owner.id)
          try #require(Set(members.map(\.user.id)) == [cast.owner.id, cast.other.id])
          try await trial.check(actor == .owner ? route.direct : route.status(for: actor))
        }
      }
    }
  }

  @Test("Without signing in every other route of the API is 401, except the open ones", .shows("control 8"))
  func otherRoutes() async throws {
    try await TestHub.with { hub in
      for (method, pattern) in hub.application.router.routes() where pattern.hasPrefix("/api/") {
        if Self.open.contains("\(method) \(pattern)") { continue }
        let path = pattern.split(separator: "/").map { $0.hasPrefix(":") ? "x" : String($0) }.joined(separator: "/")
        let answer = try await hub.memory.send(
          method, "/" + path, fields: [.contentType: "application/json"], text: "{}")
        try answer.expectProblem(.unauthorized, "unauthenticated")
      }
    }
  }

  @Test("Neither stream nor sync delivers anything of a room to outsiders", .shows("control 8"))
  func streams() async throws {
    try await TestHub.with { hub in
      let (ada, bob, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"), try await hub.signUp("Eve"))
      let live = try await eve.events(try hub.socket())
      #expect(try await live.next()?.name == "hello")
      let room = try await ada.room(with: bob)
      for number in 1...3 { try await ada.say("secret \(number)", in: room) }
      _ = try await bob.send(.put, "/rooms/\(room)/receipt", #"{"read_seq":2}"#)
      _ = try await ada.send(.post, "/rooms/\(room)/typing", #"{"typing":true}"#)
      _ = try await ada.send(.patch, "/rooms/\(room)/messages/1", #"{"text":"edited"}"#)
      _ = try await ada.send(.delete, "/rooms/\(room)/messages/2")
      // An event that everyone receives marks the end.
      _ = try await ada.send(.patch, "/me", #"{"last_name":"Lovelace"}"#)
      let replayed = try await eve.events(try hub.socket(), "?after=0")
      #expect(try await replayed.next()?.name == "hello")
      for stream in [live, replayed] {
        var names: [String] = []
        while names.last != "user.updated", let event = try await stream.next() {
          if event.name != "presence" { names.append(event.name) }
        }
        #expect(names == ["user.updated"])
      }
      let sync = try await eve.get("/sync?after=0").json()
      #expect(sync["events"]?.array.map { $0["event"]?.text } == ["user.updated"])
      let member = try await bob.get("/sync?after=0").json()
      #expect(member["events"]?.array.contains { $0["event"]?.text == "message.created" } == true)
    }
  }
}
