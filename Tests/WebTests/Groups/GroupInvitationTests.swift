import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Invitations to groups")
struct GroupInvitationTests {
  private func with(_ body: (TestHub, Cast, String) async throws -> Void) async throws {
    try await TestHub.with { hub in
      let cast = try await Cast(hub)
      try await body(hub, cast, try await cast.group())
    }
  }

  private func accept(_ person: Person, _ token: String, fields: Fields = [:]) async throws -> TestResponse {
    try await person.send(.post, "/invitations/\(token)", "{}", fields: fields)
  }

  private func signUp(_ hub: TestHub, _ name: String, _ token: String) async throws -> TestResponse {
    try await hub.memory.send(
      .post, "/api/v1/accounts", fields: [.contentType: "application/json"],
      text: """
        {"email":"\(name)@example.org","password":"\(Person.password)","first_name":"\(name)","invitation":"\(token)"}
        """)
  }

  /// Fails unless the invitation is over for everybody, with the reason.
  private func expectOver(
    _ hub: TestHub, _ person: Person, _ token: String, _ code: String?, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let wanted = code.map { ["invitation": $0] } ?? [:]
    let shown = try await hub.memory.send(.get, "/api/v1/invitations/\(token)")
    #expect(try shown.expectProblem(.notFound, "not-found", location) == wanted, sourceLocation: location)
    let refused = try await accept(person, token)
    #expect(try refused.expectProblem(.notFound, "not-found", location) == wanted, sourceLocation: location)
    let account = try await signUp(hub, "late", token)
    #expect(
      try account.expectProblem(.unprocessableContent, "invalid", location) == ["invitation": code ?? "invalid"],
      sourceLocation: location)
  }

  @Test("An invitation's link is returned once, shows where it leads, and admits whoever accepts it", .shows("R1"))
  func letsIn() async throws {
    try await with { hub, cast, room in
      _ = try await cast.owner.send(.patch, "/rooms/\(room)", #"{"topic":"Steam"}"#)
      let made = try await cast.admin.send(
        .post, "/rooms/\(room)/invitations", #"{"expires_in":3600,"max_uses":2}"#)
      #expect(try made.json().names == ["id", "inviter", "created_at", "expires_at", "max_uses", "uses", "url"])
      let url = try #require(try made.json()["url"]?.text)
      #expect(url.hasPrefix("/invite/"))
      let token = String(try #require(url.split(separator: "/").last))
      for person in [cast.owner, cast.admin] {
        let list = try await person.get("/rooms/\(room)/invitations").json()
        #expect(list.array.count == 1 && list[0]?["url"] == nil && list[0]?["max_uses"]?.integer == 2)
        #expect(list[0]?["inviter"]?["id"]?.text == "\(cast.admin.id)")
      }
      let shown = try await hub.memory.send(.get, "/api/v1/invitations/\(token)").json()
      #expect(shown["room"]?.names == ["id", "name", "topic", "avatar_url", "members_count"])
      #expect(shown["makes_accounts"]?.flag == true)
      #expect(shown["room"]?["name"]?.text == "Engine" && shown["room"]?["members_count"]?.integer == 4)
      #expect(shown["inviter"]?["id"]?.text == "\(cast.admin.id)" && shown["inviter"]?["online"] == nil)
      let start = try await hub.store.lastEventID()
      let outsider = cast[.outsider]
      let answer = try await accept(outsider, token)
      #expect(try answer.status == .ok && answer.json()["id"]?.text == room)
      #expect(try answer.json()["role"]?.text == "member")
      #expect(try await outsider.told(after: start).map(\.name) == ["room.created", "member.updated", "room.changed"])
      // A member stays a member, and uses nothing.
      for person in [outsider, cast.member] { #expect(try await accept(person, token).status == .ok) }
      #expect(try await cast.admin.get("/rooms/\(room)/invitations").json()[0]?["uses"]?.integer == 1)
      // A removed member may return this way; a banned one may not.
      #expect(try await accept(cast[.removed], token).status == .ok)
    }
  }

  @Test(
    "Viewing an invitation, or a form on another site, accepts nothing",
    .shows("control 2", "control 14", "R1"))
  func onlyByPost() async throws {
    try await with { hub, cast, room in
      let token = try await cast.invite(room).token
      let outsider = cast[.outsider]
      let before = try await cast.state(of: room)
      for path in ["/api/v1/invitations/\(token)", "/invite/\(token)"] {
        for method in [HTTP.Method.get, .head] {
          let answer = try await hub.memory.send(method, path, fields: [.cookie: outsider.cookie])
          #expect(answer.status == .ok)
        }
      }
      for fields in [[.origin: "https://evil.example"], ["sec-fetch-site": "cross-site"]] as [Fields] {
        try await accept(outsider, token, fields: fields).expectProblem(.forbidden, "forbidden")
      }
      for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let form = try await accept(outsider, token, fields: [.contentType: type])
        try form.expectProblem(.unsupportedMediaType, "unsupported-media-type")
      }
      #expect(try await cast.state(of: room) == before)
      #expect(try await !outsider.lists(room))
      #expect(try await outsider.send(.post, "/invitations/\(token)").status == .ok)
    }
  }

  @Test("A mistyped, expired, ended or used-up invitation says which of these it is", .shows("R1"))
  func reasons() async throws {
    try await with { hub, cast, room in
      try await expectOver(hub, cast.target, String(repeating: "0", count: 64), nil)
      let used = try await cast.invite(room, #"{"max_uses":1}"#)
      #expect(try await accept(cast[.outsider], used.token).status == .ok)
      try await expectOver(hub, cast.target, used.token, "used")
      let ended = try await cast.invite(room)
      #expect(try await cast.admin.send(.delete, "/rooms/\(room)/invitations/\(ended.id)").status == .noContent)
      try await expectOver(hub, cast.target, ended.token, "ended")
      try await cast.admin.send(.delete, "/rooms/\(room)/invitations/\(ended.id)").expectProblem(.notFound, "not-found")
      let expiring = try await cast.invite(room, #"{"expires_in":60}"#)
      hub.clock.advance(by: .seconds(59))
      #expect(try await hub.memory.send(.get, "/api/v1/invitations/\(expiring.token)").status == .ok)
      hub.clock.advance(by: .seconds(1))
      try await expectOver(hub, cast.target, expiring.token, "expired")
      #expect(try await cast.owner.get("/rooms/\(room)/invitations").json() == .array([]))
      #expect(try await cast.owner.role(of: cast.target, in: room) == nil)
    }
  }

  @Test(
    "An invitation depends on its creator's role: if they are demoted, removed or banned, it is over",
    .shows("R1", "control 9"))
  func makers() async throws {
    try await with { hub, cast, _ in
      for way in ["demoted", "removed", "banned", "left"] {
        let room = try await cast.group()
        let path = "/rooms/\(room)/members/\(cast.admin.id)"
        let invitation = try await cast.invite(room, by: cast.admin)
        #expect(try await hub.memory.send(.get, "/api/v1/invitations/\(invitation.token)").status == .ok)
        switch way {
        case "demoted": _ = try await cast.owner.send(.put, path, #"{"role":"member"}"#)
        case "removed": _ = try await cast.owner.send(.delete, path)
        case "banned": _ = try await cast.owner.send(.put, "/rooms/\(room)/bans/\(cast.admin.id)", "{}")
        default: _ = try await cast.admin.send(.delete, "/rooms/\(room)/membership")
        }
        try await expectOver(hub, cast.target, invitation.token, "ended")
        #expect(try await cast.owner.get("/rooms/\(room)/invitations").json() == .array([]))
        #expect(try await cast.owner.role(of: cast.target, in: room) == nil, "\(way)")
      }
    }
  }

  @Test(
    "An invitation is ended in its own room only, and one to the instance leads to no room", .shows("R1", "control 8")
  )
  func ownRoom() async throws {
    try await with { hub, cast, room in
      let invitation = try await cast.invite(room)
      let made = try await cast.admin.send(.post, "/rooms", #"{"kind":"group","name":"Mine"}"#)
      let mine = try #require(try made.json()["id"]?.text)
      try await cast.admin.send(.delete, "/rooms/\(mine)/invitations/\(invitation.id)")
        .expectProblem(.notFound, "not-found")
      try await cast.owner.send(.delete, "/invitations/\(invitation.id)").expectProblem(.notFound, "not-found")
      #expect(try await hub.memory.send(.get, "/api/v1/invitations/\(invitation.token)").status == .ok)
      let toAll = try await cast.member.send(.post, "/invitations", "{}")
      let token = String(try #require(try toAll.json()["url"]?.text?.split(separator: "/").last))
      try await accept(cast[.outsider], token).expectProblem(.conflict, "conflict")
    }
  }

  @Test(
    "Errors in an invitation are reported by field; a room has at most a hundred open ones", .shows("R1")
  )
  func limits() async throws {
    try await with { hub, cast, room in
      let path = "/rooms/\(room)/invitations"
      let wrong = try await cast.owner.send(.post, path, #"{"expires_in":31536001,"max_uses":100001}"#)
      #expect(
        try wrong.expectProblem(.unprocessableContent, "invalid") == ["expires_in": "invalid", "max_uses": "invalid"])
      let typed = try await cast.owner.send(.post, path, #"{"expires_in":"x","max_uses":1.5}"#)
      #expect(
        try typed.expectProblem(.unprocessableContent, "invalid")
          == ["expires_in": "wrong_type", "max_uses": "wrong_type"])
      for number in 0..<Invitations.limit {
        let maker = number % 2 == 0 ? cast.owner : cast.admin
        #expect(try await maker.send(.post, path, "{}").status == .created)
      }
      for maker in [cast.owner, cast.admin] {
        try await maker.send(.post, path, "{}").expectProblem(.conflict, "conflict")
      }
      let last = try #require(try await cast.owner.get(path).json()[0]?["id"]?.text)
      #expect(try await cast.admin.send(.delete, "\(path)/\(last)").status == .noContent)
      #expect(try await cast.owner.send(.post, path, "{}").status == .created)
    }
  }

  @Test("Signing up with a group's invitation joins the group at once", .shows("A3", "R1"))
  func signsUp() async throws {
    try await with { hub, cast, room in
      let token = try await cast.invite(room, #"{"max_uses":1}"#).token
      let start = try await hub.store.lastEventID()
      let answer = try await signUp(hub, "newcomer", token)
      #expect(answer.status == .created)
      let person = Person(
        id: try #require(try answer.json()["id"]?.text.flatMap { UserID($0) }), email: "newcomer@example.org",
        cookie: try answer.cookie(), client: hub.memory)
      #expect(try await person.lists(room))
      #expect(try await cast.member.told(after: start).map(\.name) == ["member.updated", "room.changed"])
      try await expectOver(hub, cast.target, token, "used")
    }
  }
}

/// Invitations to groups if accounts are restricted.
@Suite("Invitations to groups without open registration")
struct ClosedRegistrationTests {
  /// Accounts created by the operator, an admin first, and a group of the second one's.
  private func with(
    _ mode: RegistrationMode, _ body: (TestHub, [Person], _ room: String) async throws -> Void
  ) async throws {
    var options = TestHub.Options()
    options.registration = mode
    try await TestHub.with(options) { hub in
      var people: [Person] = []
      for name in ["admin", "maker", "other"] {
        let id = UserID(at: hub.clock.now)
        _ = try await hub.store.createAccount(
          NewAccount(
            id: id, email: "\(name)@example.org",
            passwordHash: try await hub.passwords.hash(Person.password, for: "test"),
            firstName: name, lastName: "", createdAt: hub.clock.now))
        people.append(
          try await hub.signIn(Person(id: id, email: "\(name)@example.org", cookie: "", client: hub.memory)))
      }
      let made = try await people[1].send(
        .post, "/rooms", #"{"kind":"group","name":"G","member_ids":["\#(people[0].id)"]}"#)
      let room = try #require(try made.json()["id"]?.text)
      let role = try await people[1].send(.put, "/rooms/\(room)/members/\(people[0].id)", #"{"role":"admin"}"#)
      #expect(role.status == .ok)
      try await body(hub, people, room)
    }
  }

  private func token(_ person: Person, _ room: String) async throws -> String {
    let made = try await person.send(.post, "/rooms/\(room)/invitations", "{}")
    #expect(made.status == .created)
    return String(try #require(try made.json()["url"]?.text?.split(separator: "/").last))
  }

  private func signUp(_ hub: TestHub, _ token: String) async throws -> TestResponse {
    try await hub.memory.send(
      .post, "/api/v1/accounts", fields: [.contentType: "application/json"],
      text: """
        {"email":"eve@example.org","password":"\(Person.password)","first_name":"Eve","invitation":"\(token)"}
        """)
  }

  @Test(
    "With closed registration a group's invitation is for existing accounts only", .shows("A3", "R1"),
    arguments: [RegistrationMode.closed, .github])
  func closed(_ mode: RegistrationMode) async throws {
    try await with(mode) { hub, people, room in
      for maker in people.prefix(2) {
        let token = try await token(maker, room)
        try await signUp(hub, token).expectProblem(.forbidden, "forbidden")
        #expect(try await hub.store.credentials(email: "eve@example.org") == nil)
        #expect(try await people[2].send(.post, "/invitations/\(token)", "{}").status == .ok)
        _ = try await people[2].send(.delete, "/rooms/\(room)/membership")
      }
    }
  }

  @Test(
    "By invite only an admin's invitation creates an account; others' are for existing accounts", .shows("A3", "R1"))
  func byInvite() async throws {
    try await with(.invite) { hub, people, room in
      let makers = try await token(people[1], room)
      #expect(
        try await signUp(hub, makers).expectProblem(.unprocessableContent, "invalid") == ["invitation": "invalid"])
      #expect(try await hub.store.credentials(email: "eve@example.org") == nil)
      #expect(try await people[2].send(.post, "/invitations/\(makers)", "{}").status == .ok)
      let admins = try await token(people[0], room)
      for (token, makesAccounts) in [(makers, false), (admins, true)] {
        let shown = try await hub.memory.send(.get, "/api/v1/invitations/\(token)").json()
        #expect(shown["makes_accounts"]?.flag == makesAccounts)
      }
      let signedUp = try await signUp(hub, admins)
      #expect(signedUp.status == .created)
      let members = try await people[1].get("/rooms/\(room)/members").json().array
      #expect(members.contains { $0["first_name"]?.text == "Eve" })
    }
  }
}
