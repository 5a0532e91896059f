import Chat
import HTTP
import HTTPServer
import Testing

@testable import Web

@Suite("Accounts and sessions")
struct AccountTests {
  private static let json: Fields = [.contentType: "application/json"]

  @Test("A2 Signing up answers with the own user and a session; the first one is the admin (A3)")
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

  @Test("A2 Every wrong field is told at once, also where one has a wrong type")
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
    "A3 Where registration is not open, nobody can sign up", arguments: [RegistrationMode.closed, .invite, .github])
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

  @Test("SECURITY 1 The cookie is HttpOnly, SameSite=Lax, for the whole site, of 256 random bits, rotated and ended")
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
      // Rotated: the older session is over.
      #expect(try await person.get("/session").status == .unauthorized)
      let out = try await hub.memory.send(.delete, "/api/v1/session", fields: [.cookie: cookie])
      #expect(out.status == .noContent && out.body.isEmpty)
      #expect(out.fields[.setCookie]?.hasPrefix("hubbub_session=; Path=/; Max-Age=0;") == true)
      let dead = try await hub.memory.send(.get, "/api/v1/session", fields: [.cookie: cookie])
      try dead.expectProblem(.unauthorized, "unauthenticated")
      #expect(dead.fields["www-authenticate"] != nil)
    }
  }

  @Test("SECURITY 1 Behind https the cookie is Secure and bound to the host, and its plain name is not taken")
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

  @Test("SECURITY 7 Unknown address and wrong password get the same answer after the same work")
  func tellsNothing() async throws {
    try await TestHub.with { hub in
      _ = try await hub.signUp("Ada")
      func signIn(_ email: String) async throws -> TestResponse {
        try await hub.memory.send(
          .post, "/api/v1/session", fields: Self.json, text: #"{"email":"\#(email)","password":"wrong words"}"#)
      }
      let (known, unknown) = (try await signIn("ada@example.org"), try await signIn("eve@example.org"))
      try known.expectProblem(.unauthorized, "unauthenticated")
      // In memory all requests have the same id, so the bodies are equal to the byte.
      #expect(known.body == unknown.body && known.fields == unknown.fields)
      #expect(hub.passwords.verified == 2 && hub.passwords.dummies == 1)
      let empty = try await hub.memory.send(.post, "/api/v1/session", fields: Self.json, text: "{}")
      #expect(
        try empty.expectProblem(.unprocessableContent, "invalid") == ["email": "required", "password": "required"])
    }
  }

  @Test("SECURITY 6 After 20 wrong passwords comes 429 with Retry-After, whatever X-Forwarded-For says; then it ends")
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
      // The right one is not let through either, or guessing would go on.
      #expect(try await signIn(Person.password, 22).status == .tooManyRequests)
      #expect(try await person.get("/session").status == .ok)
      hub.clock.advance(seconds: 60)
      #expect(try await signIn(Person.password, 23).status == .ok)
    }
  }

  @Test("A5 Sessions are listed, newest first, and ended, one or all others")
  func sessions() async throws {
    try await TestHub.with { hub in
      let first = try await hub.signUp("Ada")
      hub.clock.advance(seconds: 5)
      let second = try await hub.signIn(first)
      hub.clock.advance(seconds: 5)
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

  @Test("A cookie of no use is nobody's", arguments: ["", "short", String(repeating: "0", count: 64), "ä\"x"])
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
}
