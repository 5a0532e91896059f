import Chat
import HTTP
import HTTPServer
import Testing

@testable import Web

/// SECURITY 8: every route of a room × {nobody, another person}.
@Suite("Outsiders")
struct OutsiderTests {
  struct Route: Hashable, CustomStringConvertible {
    let method: HTTP.Method
    let pattern: String
    /// What a member could send; nil for none.
    var body: String?
    /// What a member is answered.
    var status: Status = .ok

    var description: String { "\(method) \(pattern)" }
  }

  /// In an order in which all of them work for a member.
  static let routes: [Route] = [
    Route(method: .get, pattern: "/api/v1/rooms/:room"),
    Route(method: .patch, pattern: "/api/v1/rooms/:room", body: #"{"draft":"x"}"#),
    Route(method: .get, pattern: "/api/v1/rooms/:room/members"),
    Route(method: .get, pattern: "/api/v1/rooms/:room/messages"),
    Route(method: .post, pattern: "/api/v1/rooms/:room/messages", body: #"{"text":"x"}"#, status: .created),
    Route(method: .get, pattern: "/api/v1/rooms/:room/messages/:seq"),
    Route(method: .patch, pattern: "/api/v1/rooms/:room/messages/:seq", body: #"{"text":"x"}"#),
    Route(method: .get, pattern: "/api/v1/rooms/:room/messages/:seq/reactions"),
    Route(method: .put, pattern: "/api/v1/rooms/:room/messages/:seq/reactions/:emoji", status: .noContent),
    Route(method: .delete, pattern: "/api/v1/rooms/:room/messages/:seq/reactions/:emoji", status: .noContent),
    Route(method: .get, pattern: "/api/v1/rooms/:room/pins"),
    Route(method: .put, pattern: "/api/v1/rooms/:room/pins/:seq", status: .noContent),
    Route(method: .delete, pattern: "/api/v1/rooms/:room/pins/:seq", status: .noContent),
    Route(method: .delete, pattern: "/api/v1/rooms/:room/messages/:seq", status: .noContent),
    Route(method: .put, pattern: "/api/v1/rooms/:room/receipt", body: #"{"read_seq":1}"#),
    Route(method: .get, pattern: "/api/v1/rooms/:room/receipts"),
    Route(method: .post, pattern: "/api/v1/rooms/:room/typing", body: #"{"typing":true}"#, status: .noContent),
    Route(method: .post, pattern: "/api/v1/rooms/:room/clearing", status: .noContent),
    Route(method: .post, pattern: "/api/v1/rooms/:room/hiding", status: .noContent),
  ]

  /// What everybody may ask without being signed in.
  static let open: Set<String> = [
    "POST /api/v1/accounts", "POST /api/v1/session", "GET /api/openapi.json", "GET /api/v1/invitations/:invitation",
  ]

  private func path(_ route: Route, _ room: String) -> String {
    String(route.pattern.dropFirst("/api/v1".count)).replacing(":room", with: room).replacing(":seq", with: "1")
      .replacing(":emoji", with: "%F0%9F%91%8D")
  }

  @Test("SECURITY 8 No route of a room is missing in this table")
  func complete() async throws {
    try await TestHub.with { hub in
      let known = Set(Self.routes.map(\.description))
      let offered = hub.application.router.routes().filter {
        $0.pattern.hasPrefix("/api/") && $0.pattern.contains(":room")
      }
      #expect(Set(offered.map { "\($0.method) \($0.pattern)" }) == known)
      #expect(known.count == Self.routes.count)
    }
  }

  @Test("SECURITY 8 Nobody gets 401 and another person 404 on each route of a room, where a member is served")
  func roomRoutes() async throws {
    try await TestHub.with { hub in
      let (ada, bob, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"), try await hub.signUp("Eve"))
      let room = try await ada.room(with: bob)
      try await ada.say("secret", in: room)
      for route in Self.routes {
        // First: she is an outsider, and the room is there.
        let members = try await hub.store.members(of: try #require(RoomID(room)), for: ada.id)
        try #require(!members.contains { $0.user.id == eve.id } && members.count == 2)
        try #require(try await eve.get("/rooms").json() == .array([]))
        let before = try await hub.store.lastEventID()
        let fields: Fields = route.body == nil ? [:] : [.contentType: "application/json"]
        let nobody = try await hub.memory.send(
          route.method, "/api/v1" + path(route, room), fields: fields, text: route.body ?? "")
        try nobody.expectProblem(.unauthorized, "unauthenticated")
        let outsider = try await eve.send(route.method, path(route, room), route.body)
        try outsider.expectProblem(.notFound, "not-found")
        let missing = try await eve.send(route.method, path(route, RoomID(at: hub.clock.now).description), route.body)
        #expect(missing.body == outsider.body, "\(route) tells a room that is there from one that is not")
        #expect(try await hub.store.lastEventID() == before, "\(route) changed something")
        let member = try await ada.send(route.method, path(route, room), route.body)
        #expect(member.status == route.status, "\(route)")
      }
    }
  }

  @Test("SECURITY 8 Nobody gets 401 on every other route of the API, but for those that are open")
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

  @Test("SECURITY 8 Neither stream nor sync delivers anything of a room to another person")
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
      // What everybody hears of marks the end.
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
