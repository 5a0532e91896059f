import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Accounts and sessions")
struct AccountTests {
  private static let json: Fields = [.contentType: "application/json"]

  @Test("Signing up returns the person and a session; the first one is the admin", .shows("A2", "A3"))
  func signsUp() async throws {
    try await TestHub.with { hub in
      let answer = try await hub.memory.send(
        .post, "/api/v1/accounts", fields: Self.json,
        text: #"{"email":" Ada@Example.ORG","password":"correct horse battery","first_name":"Ada","more":[1,{}]}"#)
      #expect(answer.status == .created)
      #expect(answer.fields[.contentType] == "application/json")
      let user = try answer.json()
      #expect(user["email"]?.text == "ada@example.org")
      #expect(user["first_name"]?.text == "Ada" && user["last_name"]?.text == "" && user["name"]?.text == "Ada")
      #expect(user["member"]?.flag == true && user["online"]?.flag == false && user["admin"]?.flag == true)
      #expect(user["avatar_url"]?.text?.hasPrefix("/api/v1/avatars/initials-") == true)
      let settings = try #require(user["settings"])
      #expect(settings["read_receipts"]?.flag == true && settings["last_seen"]?.flag == true)
      #expect(settings["do_not_disturb"]?["on"]?.flag == false && settings["language"] == nil)
      let own = try await hub.memory.send(.get, "/api/v1/session", fields: [.cookie: try answer.cookie()])
      #expect(own.status == .ok)
      #expect(try own.json() == user)
      let second = try await hub.signUp("Bob")
      #expect(try await second.get("/session").json()["admin"]?.flag == false)
    }
  }

  @Test("Every wrong field is reported at once, including wrong types", .shows("A2"))
  func refusesFields() async throws {
    try await TestHub.with { hub in
      func errors(_ body: String) async throws -> [String: String] {
        let answer = try await hub.memory.send(.post, "/api/v1/accounts", fields: Self.json, text: body)
        #expect(answer.fields[.setCookie] == nil)
        return try answer.expectProblem(.unprocessableContent, "invalid")
      }
      #expect(
        try await errors("{}") == ["email": "required", "password": "required", "first_name": "required"])
      #expect(
        try await errors(
          #"{"email":"no","password":"short","first_name":" ","last_name":"\#(String(repeating: "x", count: 51))"}"#)
          == ["email": "invalid", "password": "too_short", "first_name": "required", "last_name": "too_long"])
      #expect(
        try await errors(#"{"email":5,"password":"short","first_name":null,"last_name":true}"#)
          == [
            "email": "wrong_type", "password": "too_short", "first_name": "required", "last_name": "wrong_type",
          ])
      #expect(
        try await errors(#"{"email":{},"password":"fine enough words","first_name":"Ada"}"#)
          == ["email": "wrong_type"])
      _ = try await hub.signUp("Ada")
      #expect(
        try await errors(#"{"email":"ADA@example.org","password":"correct horse battery","first_name":"A"}"#)
          == ["email": "taken"])
    }
  }

  @Test(
    "Unless registration is open, nobody can sign up", .shows("A3"),
    arguments: [RegistrationMode.closed, .invite, .github])
  func registration(_ mode: RegistrationMode) async throws {
    var options = TestHub.Options()
    options.registration = mode
    try await TestHub.with(options) { hub in
      let answer = try await hub.memory.send(
        .post, "/api/v1/accounts", fields: Self.json,
        text: #"{"email":"ada@example.org","password":"correct horse battery","first_name":"Ada"}"#)
      try answer.expectProblem(.forbidden, "forbidden")
      #expect(try await hub.store.credentials(email: "ada@example.org") == nil)
    }
  }

  @Test(
    "The cookie is HttpOnly, SameSite=Lax, for the whole site, of 256 random bits, rotated and ended",
    .shows("control 1"))
  func cookie() async throws {
    try await TestHub.with { hub in
      let person = try await hub.signUp("Ada")
      let again = try await hub.memory.send(
        .post, "/api/v1/session", fields: [.contentType: "application/json", .cookie: person.cookie],
        text: #"{"email":"ada@example.org","password":"\#(Person.password)"}"#)
      let attributes = Set(try #require(again.fields[.setCookie]).components("; ").dropFirst())
      #expect(attributes == ["Path=/", "Max-Age=15552000", "HttpOnly", "SameSite=Lax"])
      let cookie = try again.cookie()
      #expect(cookie.hasPrefix("hubbub_session=") && cookie.utf8.count == "hubbub_session=".utf8.count + 64)
      #expect(cookie != person.cookie)
      // Rotated: the older session has ended.
      #expect(try await person.get("/session").status == .unauthorized)
      let out = try await hub.memory.send(.delete, "/api/v1/session", fields: [.cookie: cookie])
      #expect(out.status == .noContent && out.body.isEmpty)
      #expect(out.fields[.setCookie]?.hasPrefix("hubbub_session=; Path=/; Max-Age=0;") == true)
      #expect(out.fields["clear-site-data"] == "\"cache\"")
      let dead = try await hub.memory.send(.get, "/api/v1/session", fields: [.cookie: cookie])
      try dead.expectProblem(.unauthorized, "unauthenticated")
      // A challenge is due (RFC 9110 section 15.5.2), of a scheme that signs somebody in here.
      #expect(dead.fields["www-authenticate"] == "Cookie realm=\"Hubbub\"")
    }
  }

  @Test("With https the cookie is Secure and bound to the host; its plain name is not accepted", .shows("control 1"))
  func secureCookie() async throws {
    var options = TestHub.Options()
    options.publicBase = "https://chat.example.org/"
    try await TestHub.with(options) { hub in
      let person = try await hub.signUp("Ada")
      #expect(person.cookie.hasPrefix("__Host-hubbub_session="))
      let again = try await hub.memory.send(
        .post, "/api/v1/session", fields: [.contentType: "application/json", .origin: "https://chat.example.org"],
        text: #"{"email":"ada@example.org","password":"\#(Person.password)"}"#)
      #expect(again.status == .ok)
      let attributes = Set(try #require(again.fields[.setCookie]).components("; ").dropFirst())
      #expect(attributes == ["Path=/", "Max-Age=15552000", "Secure", "HttpOnly", "SameSite=Lax"])
      #expect(again.fields["strict-transport-security"] != nil)
      let plain = String(person.cookie.dropFirst("__Host-".count))
      let refused = try await hub.memory.send(.get, "/api/v1/session", fields: [.cookie: plain])
      #expect(refused.status == .unauthorized)
    }
  }

  @Test("An unknown address and a wrong password get the same response after the same work", .shows("control 7"))
  func tellsNothing() async throws {
    try await TestHub.with { hub in
      _ = try await hub.signUp("Ada")
      func signIn(_ email: String) async throws -> TestResponse {
        try await hub.memory.send(
          .post, "/api/v1/session", fields: Self.json, text: #"{"email":"\#(email)","password":"wrong words"}"#)
      }
      let (known, unknown) = (try await signIn("ada@example.org"), try await signIn("eve@example.org"))
      try known.expectProblem(.unauthorized, "unauthenticated")
      // In memory all requests have the same id, so the bodies are equal byte for byte.
      #expect(known.body == unknown.body && known.fields == unknown.fields)
      #expect(hub.passwords.verified == 2 && hub.passwords.dummies == 1)
      let empty = try await hub.memory.send(.post, "/api/v1/session", fields: Self.json, text: "{}")
      #expect(
        try empty.expectProblem(.unprocessableContent, "invalid") == ["email": "required", "password": "required"])
    }
  }

  @Test(
    "After 20 wrong passwords comes 429 with Retry-After, whatever X-Forwarded-For says; then it ends",
    .shows("control 6"))
  func throttles() async throws {
    var options = TestHub.Options()
    options.throttle = Throttle.Limits()
    try await TestHub.with(options) { hub in
      let person = try await hub.signUp("Ada")
      func signIn(_ password: String, _ number: Int) async throws -> TestResponse {
        try await hub.memory.send(
          .post, "/api/v1/session",
          fields: [.contentType: "application/json", "x-forwarded-for": "198.51.100.\(number)"],
          text: #"{"email":"ada@example.org","password":"\#(password)"}"#)
      }
      for number in 1...20 { #expect(try await signIn("wrong words", number).status == .unauthorized) }
      let limited = try await signIn("wrong words", 21)
      try limited.expectProblem(.tooManyRequests, "rate-limited")
      #expect(limited.fields[.retryAfter] == "60")
      // The right password is refused too; otherwise guessing would continue.
      #expect(try await signIn(Person.password, 22).status == .tooManyRequests)
      #expect(try await person.get("/session").status == .ok)
      hub.clock.advance(by: .seconds(60))
      #expect(try await signIn(Person.password, 23).status == .ok)
    }
  }

  @Test("Sessions are listed, newest first, and ended, one or all others", .shows("A5"))
  func sessions() async throws {
    try await TestHub.with { hub in
      let first = try await hub.signUp("Ada")
      hub.clock.advance(by: .seconds(5))
      let second = try await hub.signIn(first)
      hub.clock.advance(by: .seconds(5))
      let third = try await hub.signIn(first)
      let stranger = try await hub.signUp("Bob")

      let list = try await second.get("/sessions").json().array
      #expect(list.count == 3)
      #expect(list.map { $0["current"]?.flag } == [false, true, false])
      #expect(list[1]["user_agent"]?.text == "Second/1.0")
      #expect(list.map { $0["created_at"]?.text ?? "" } == list.map { $0["created_at"]?.text ?? "" }.sorted(by: >))
      #expect(list[0].names == ["id", "user_agent", "created_at", "expires_at", "last_used_at", "current"])

      let newest = try #require(list[0]["id"]?.text)
      #expect(try await stranger.send(.delete, "/sessions/\(newest)").status == .notFound)
      #expect(try await second.send(.delete, "/sessions/nonsense").status == .notFound)
      #expect(try await third.get("/session").status == .ok)
      let ended = try await second.send(.delete, "/sessions/\(newest)")
      #expect(ended.status == .noContent && ended.fields[.setCookie] == nil)
      #expect(try await third.get("/session").status == .unauthorized)
      #expect(try await second.send(.delete, "/sessions").status == .noContent)
      #expect(try await first.get("/session").status == .unauthorized)
      let own = try #require(try await second.get("/sessions").json()[0]?["id"]?.text)
      #expect(try await second.send(.delete, "/sessions/\(own)").fields[.setCookie]?.contains("Max-Age=0") == true)
      #expect(try await second.get("/session").status == .unauthorized)
      #expect(try await stranger.get("/session").status == .ok)
    }
  }

  @Test("An invalid cookie identifies nobody", arguments: ["", "short", String(repeating: "0", count: 64), "ä\"x"])
  func uselessCookie(_ secret: String) async throws {
    try await TestHub.with { hub in
      let answer = try await hub.memory.send(
        .get, "/api/v1/session", fields: [.cookie: "hubbub_session=" + secret])
      try answer.expectProblem(.unauthorized, "unauthenticated")
    }
  }
}

extension String {
  /// The parts between separators.
  func components(_ separator: String) -> [String] { split(separator: separator).map { String($0) } }

  @Test(
    "Account security events are logged with who, from where and the outcome, and without secrets",
    .shows("X3", "control 15"))
  func securityLog() async throws {
    let lines = RecordedLog()
    var options = TestHub.Options()
    (options.logger, options.throttle) = (lines.logger, Throttle.Limits(burst: 2))
    try await TestHub.with(options) { hub in
      let ada = try await hub.signUp("Ada")
      func signIn(_ password: String) async throws -> Status {
        try await hub.memory.send(
          .post, "/api/v1/session", fields: [.contentType: "application/json"],
          text: #"{"email":"\#(ada.email)","password":"\#(password)"}"#
        ).status
      }
      _ = try await signIn(Person.password)
      for _ in 0..<2 { #expect(try await signIn("wrong canary") == .unauthorized) }
      #expect(try await signIn("wrong canary") == .tooManyRequests)
      hub.clock.advance(by: .seconds(120))
      let change = #"{"current":"\#(Person.password)","new":"another canary"}"#
      #expect(try await ada.send(.put, "/me/password", change).status == .noContent)
      _ = try await ada.send(.delete, "/session")
      let security = lines.lines.filter { $0.hasPrefix("notice security") }
      let events = security.compactMap { line in
        line.firstMatch(of: /event=(\w+)/).flatMap { SecurityLog.Event(rawValue: String($0.1)) }
      }
      #expect(
        events == [
          .signUp, .signIn, .signInFailed, .signInFailed, .locked, .passwordChanged, .signOut,
        ], "\(security)")
      #expect(security.filter { $0.contains("\(ada.id)") }.count == 4)
      #expect(!lines.lines.contains { $0.contains("canary") || $0.contains(Person.password) || $0.contains(ada.email) })
    }
  }
}
