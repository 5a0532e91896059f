import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Invitations to the instance")
struct InvitationTests {
  private static let json: Fields = [.contentType: "application/json"]

  private func hub<Value>(
    _ registration: RegistrationMode, base: String? = nil, throttle: Throttle.Limits? = nil,
    _ body: (TestHub) async throws -> Value
  ) async throws -> Value {
    var options = TestHub.Options()
    options.registration = registration
    options.publicBase = base
    options.throttle = throttle
    return try await TestHub.with(options, body)
  }

  private func signUp(_ hub: TestHub, _ name: String, _ invitation: String?) async throws -> TestResponse {
    let member = invitation.map { #","invitation":"\#($0)""# } ?? ""
    return try await hub.memory.send(
      .post, "/api/v1/accounts", fields: Self.json,
      text: """
        {"email":"\(name)@example.org","password":"\(Person.password)","first_name":"\(name)"\(member)}
        """)
  }

  private func person(_ hub: TestHub, _ name: String, _ invitation: String?) async throws -> Person {
    let answer = try await signUp(hub, name, invitation)
    #expect(answer.status == .created, "\(answer.text)")
    let id = try #require(try answer.json()["id"]?.text.flatMap { UserID($0) })
    return Person(id: id, email: "\(name)@example.org", cookie: try answer.cookie(), client: hub.memory)
  }

  /// The token in a response's `url`.
  private func token(_ answer: TestResponse) throws -> String {
    #expect(answer.status == .created, "\(answer.text)")
    let url = try #require(try answer.json()["url"]?.text)
    return String(try #require(url.split(separator: "/").last))
  }

  @Test(
    "By invite, the operator's invitation creates the admin, the admin's the others, and nothing else works",
    .shows("A3"))
  func byInvite() async throws {
    try await hub(.invite) { hub in
      try await signUp(hub, "eve", nil).expectProblem(.forbidden, "forbidden")
      let wrong = String(repeating: "0", count: 64)
      #expect(
        try await signUp(hub, "eve", wrong).expectProblem(.unprocessableContent, "invalid") == ["invitation": "invalid"]
      )
      #expect(hub.passwords.verified == 0)
      let first = try await hub.core.accounts.invitations.createForOperator(maxUses: 1)
      let admin = try await person(hub, "ada", first.token)
      #expect(try await admin.get("/session").json()["admin"]?.flag == true)
      // It was valid for one use.
      #expect(
        try await signUp(hub, "eve", first.token).expectProblem(.unprocessableContent, "invalid")
          == ["invitation": "used"])
      let made = try await admin.send(.post, "/invitations", #"{"expires_in":3600,"max_uses":2}"#)
      #expect(try made.json().names == ["id", "inviter", "created_at", "expires_at", "max_uses", "uses", "url"])
      let token = try token(made)
      let shown = try await hub.memory.send(.get, "/api/v1/invitations/\(token)")
      #expect(try shown.json()["room"] == .null && shown.json()["inviter"]?["id"]?.text == "\(admin.id)")
      #expect(try shown.json()["inviter"]?["last_seen_at"] == nil)
      let member = try await person(hub, "bob", token)
      #expect(try await member.get("/session").json()["admin"]?.flag == false)
      // A refused sign-up does not use the invitation.
      #expect(
        try await signUp(hub, "bob", token).expectProblem(.unprocessableContent, "invalid") == ["email": "taken"])
      #expect(try await admin.get("/invitations").json()[0]?["uses"]?.integer == 1)
      // Members who were invited cannot invite.
      try await member.send(.post, "/invitations", "{}").expectProblem(.forbidden, "forbidden")
      hub.clock.advance(by: .seconds(3600))
      #expect(
        try await signUp(hub, "eve", token).expectProblem(.unprocessableContent, "invalid")
          == ["invitation": "expired"])
      #expect(try await hub.memory.send(.get, "/api/v1/invitations/\(token)").status == .notFound)
    }
  }

  @Test("Of two who compete for the last use, one succeeds", .shows("A3"))
  func lastUse() async throws {
    try await hub(.invite) { hub in
      let invitation = try await hub.core.accounts.invitations.createForOperator(maxUses: 1)
      let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
        for number in 0..<8 {
          group.addTask { try await signUp(hub, "p\(number)", invitation.token).status }
        }
        var statuses: [Status] = []
        for try await status in group { statuses.append(status) }
        return statuses
      }
      #expect(statuses.count { $0 == .created } == 1 && statuses.count { $0 == .unprocessableContent } == 7)
    }
  }

  @Test("With open registration everybody can invite and sees their own; an admin sees and ends all", .shows("A3"))
  func open() async throws {
    try await hub(.open) { hub in
      let (admin, bob, eve) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"), try await hub.signUp("Eve"))
      let made = try await bob.send(.post, "/invitations", "{}")
      let id = try #require(try made.json()["id"]?.text)
      #expect(try made.json()["expires_at"] == .null && made.json()["max_uses"] == .null)
      let listed = try await bob.get("/invitations").json()
      #expect(listed.array.count == 1 && listed[0]?["url"] == nil && listed[0]?["id"]?.text == id)
      #expect(try await eve.get("/invitations").json() == .array([]))
      try await eve.send(.delete, "/invitations/\(id)").expectProblem(.notFound, "not-found")
      #expect(try await admin.get("/invitations").json().array.count == 1)
      #expect(try await hub.memory.send(.get, "/api/v1/invitations/\(token(made))").status == .ok)
      // Its inviter is told that it was used, nobody else.
      let before = try await hub.store.lastEventID()
      #expect(try await signUp(hub, "gil", token(made)).status == .created)
      #expect(try await bob.told(after: before).map(\.name) == ["me.updated"])
      for other in [eve, admin] { #expect(try await other.told(after: before).isEmpty) }
      #expect(try await admin.send(.delete, "/invitations/\(id)").status == .noContent)
      #expect(try await hub.memory.send(.get, "/api/v1/invitations/\(token(made))").status == .notFound)
      try await admin.send(.delete, "/invitations/\(id)").expectProblem(.notFound, "not-found")
      #expect(try await bob.get("/invitations").json() == .array([]))
    }
  }

  @Test(
    "In the other modes nobody can invite, and no invitation works", .shows("A3"),
    arguments: [RegistrationMode.github, .closed])
  func nowhere(_ mode: RegistrationMode) async throws {
    try await hub(mode) { hub in
      let invitation = try await hub.core.accounts.invitations.createForOperator()
      try await signUp(hub, "ada", invitation.token).expectProblem(.forbidden, "forbidden")
    }
  }

  @Test("Errors in an invitation are reported by field; at most a hundred are open")
  func limits() async throws {
    try await hub(.open) { hub in
      let ada = try await hub.signUp("Ada")
      let wrong = try await ada.send(.post, "/invitations", #"{"expires_in":59,"max_uses":0}"#)
      #expect(
        try wrong.expectProblem(.unprocessableContent, "invalid") == ["expires_in": "invalid", "max_uses": "invalid"])
      let types = try await ada.send(.post, "/invitations", #"{"expires_in":"x","max_uses":0}"#)
      #expect(
        try types.expectProblem(.unprocessableContent, "invalid")
          == ["expires_in": "wrong_type", "max_uses": "invalid"])
      for _ in 0..<Invitations.limit { #expect(try await ada.send(.post, "/invitations", "{}").status == .created) }
      try await ada.send(.post, "/invitations", "{}").expectProblem(.conflict, "conflict")
      let last = try #require(try await ada.get("/invitations").json()[0]?["id"]?.text)
      #expect(try await ada.send(.delete, "/invitations/\(last)").status == .noContent)
      #expect(try await ada.send(.post, "/invitations", "{}").status == .created)
    }
  }

  @Test("The link starts with the configured base, never with Host", .shows("control 14"))
  func base() async throws {
    try await hub(.open, base: "https://chat.example.org/") { hub in
      let ada = try await hub.signUp("Ada")
      let answer = try await ada.send(.post, "/invitations", "{}", fields: [.host: "evil.example"])
      #expect(try answer.json()["url"]?.text?.hasPrefix("https://chat.example.org/invite/") == true)
    }
    try await hub(.open) { hub in
      let ada = try await hub.signUp("Ada")
      let answer = try await ada.send(.post, "/invitations", "{}", fields: [.host: "evil.example"])
      #expect(try answer.json()["url"]?.text?.hasPrefix("/invite/") == true)
    }
  }

  @Test("Guessing tokens by signing up is throttled like guessing passwords", .shows("control 6"))
  func guessing() async throws {
    try await hub(.invite, throttle: Throttle.Limits(burst: 3)) { hub in
      for number in 0..<3 { #expect(try await signUp(hub, "p\(number)", "guess").status == .unprocessableContent) }
      let limited = try await signUp(hub, "p4", "guess")
      try limited.expectProblem(.tooManyRequests, "rate-limited")
    }
  }
}
