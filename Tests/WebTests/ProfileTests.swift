import Chat
import ChatTesting
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Email, password and sessions")
struct ProfileTests {
  private func hub<Value>(_ body: (TestHub) async throws -> Value) async throws -> Value {
    try await TestHub.with(TestHub.Options(), body)
  }

  /// The name of the last event before the stream ends.
  private func last(of stream: TestEventStream) async throws -> String? {
    var name: String?
    while let event = try await stream.next() { name = event.name }
    return name
  }

  @Test("The address changes with the password; the wrong one of the two is reported at its field", .shows("A4"))
  func email() async throws {
    try await hub { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      func change(_ body: String) async throws -> TestResponse { try await ada.send(.put, "/me/email", body) }
      func errors(_ body: String) async throws -> [String: String] {
        try await change(body).expectProblem(.unprocessableContent, "invalid")
      }
      let right = Person.password
      #expect(try await errors("{}") == ["email": "required", "password": "required"])
      #expect(try await errors(#"{"email":5,"password":[]}"#) == ["email": "wrong_type", "password": "wrong_type"])
      #expect(try await errors(#"{"email":"none","password":"\#(right)"}"#) == ["email": "invalid"])
      #expect(try await errors(#"{"email":"new@example.org","password":"wrong words"}"#) == ["password": "wrong"])
      #expect(try await errors(#"{"email":"Bob@example.org","password":"\#(right)"}"#) == ["email": "taken"])
      let before = try await hub.store.lastEventID()
      let answer = try await change(#"{"email":" New@Example.org ","password":"\#(right)"}"#)
      #expect(answer.status == .ok)
      #expect(try answer.json()["email"]?.text == "new@example.org")
      #expect(try await ada.get("/session").json() == answer.json())
      let own = try await ada.get("/sync?after=\(before)").json()["events"]?.array ?? []
      #expect(own.map { $0["event"]?.text } == ["me.updated"])
      #expect(try own.first?["data"] == answer.json().without("online", "last_seen_at"))
      #expect(try await bob.get("/sync?after=\(before)").json()["events"] == .array([]))
      let signIn = try await hub.memory.send(
        .post, "/api/v1/session", fields: [.contentType: "application/json"],
        text: #"{"email":"new@example.org","password":"\#(right)"}"#)
      #expect(signIn.status == .ok)
    }
  }

  @Test(
    "A new password ends all other sessions, their streams at once, and keeps this one and its stream",
    .shows("A5", "control 9"))
  func password() async throws {
    try await hub { hub in
      let (first, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let second = try await hub.signIn(first)
      let socket = try hub.socket()
      let (kept, ended, others) = (
        try await second.events(socket), try await first.events(socket), try await bob.events(socket)
      )
      for stream in [kept, ended, others] { while try await stream.next()?.name != "hello" {} }
      let wrong = try await second.send(.put, "/me/password", #"{"current":"wrong words","new":"difference engine"}"#)
      #expect(try wrong.expectProblem(.unprocessableContent, "invalid") == ["current": "wrong"])
      let weak = try await second.send(.put, "/me/password", #"{"current":"\#(Person.password)","new":"password"}"#)
      #expect(try weak.expectProblem(.unprocessableContent, "invalid") == ["new": "too_common"])
      let done = try await second.send(
        .put, "/me/password", #"{"current":"\#(Person.password)","new":"difference engine"}"#)
      #expect(done.status == .noContent && done.body.isEmpty)
      #expect(try await last(of: ended) == "session.ended")
      #expect(try await first.get("/session").status == .unauthorized)
      #expect(try await second.get("/session").status == .ok)
      // The kept stream and another person's are alive: both receive the next event.
      _ = try await second.send(.patch, "/me", #"{"last_name":"King"}"#)
      for stream in [kept, others] {
        var event = try await stream.next()
        while event?.name == "presence" { event = try await stream.next() }
        #expect(event?.name == "user.updated")
      }
      let old = try await hub.memory.send(
        .post, "/api/v1/session", fields: [.contentType: "application/json"],
        text: #"{"email":"\#(first.email)","password":"\#(Person.password)"}"#)
      try old.expectProblem(.unauthorized, "unauthenticated")
    }
  }

  @Test(
    "Each way to end a session ends its stream and its waiting sync", .shows("control 9"),
    arguments: ["out", "one", "others", "rotated"])
  func endings(_ way: String) async throws {
    try await hub { hub in
      let ended = try await hub.signUp("Ada")
      let acting = try await hub.signIn(ended)
      let socket = try hub.socket()
      let stream = try await ended.events(socket)
      while try await stream.next()?.name != "hello" {}
      let after = try await hub.store.lastEventID()
      async let sync = ended.send(.get, "/sync?after=\(after)&wait=55", over: socket)
      await hub.clock.waits(for: .seconds(55))
      let id = try #require(
        try await ended.get("/sessions").json().array.first { $0["current"]?.flag == true }?["id"]?.text)
      let answer =
        switch way {
        case "out": try await ended.send(.delete, "/session")
        case "one": try await acting.send(.delete, "/sessions/\(id)")
        case "others": try await acting.send(.delete, "/sessions")
        default:
          try await ended.send(
            .post, "/session", #"{"email":"\#(ended.email)","password":"\#(Person.password)"}"#)
        }
      #expect(answer.status == (way == "rotated" ? .ok : .noContent))
      // The clock stands still: only the ending itself can have closed them.
      #expect(try await last(of: stream) == "session.ended")
      try await sync.expectProblem(.unauthorized, "unauthenticated")
      #expect(try await acting.get("/session").status == .ok)
    }
  }

  @Test("The list says when a session was last used, recorded at most once an hour", .shows("A5"))
  func lastUsed() async throws {
    try await hub { hub in
      let ada = try await hub.signUp("Ada")
      func lastUse() async throws -> String? { try await ada.get("/sessions").json()[0]?["last_used_at"]?.text }
      let start = hub.clock.now
      #expect(try await lastUse() == start.description)
      for _ in 0..<6 {
        hub.clock.advance(by: .seconds(599))
        #expect(try await lastUse() == start.description)
      }
      hub.clock.advance(by: .seconds(6))
      #expect(try await lastUse() == hub.clock.now.description)
    }
  }

  @Test("Wrong passwords count together with those of signing in, whatever X-Forwarded-For says", .shows("control 6"))
  func throttled() async throws {
    var options = TestHub.Options()
    options.throttle = Throttle.Limits()
    try await TestHub.with(options) { hub in
      let ada = try await hub.signUp("Ada")
      for number in 1...20 {
        let fields: Fields = ["x-forwarded-for": "198.51.100.\(number)", "forwarded": "for=198.51.100.\(number)"]
        let answer =
          switch number % 3 {
          case 0: try await ada.send(.put, "/me/email", #"{"email":"a@b.c","password":"wrong words"}"#, fields: fields)
          case 1:
            try await ada.send(.put, "/me/password", #"{"current":"x","new":"difference engine"}"#, fields: fields)
          default: try await ada.send(.post, "/session", #"{"email":"ada@example.org","password":"x"}"#, fields: fields)
          }
        #expect(answer.status == (number % 3 == 2 ? .unauthorized : .unprocessableContent))
      }
      let fields: Fields = ["x-forwarded-for": "203.0.113.9"]
      let limited = [
        try await ada.send(
          .put, "/me/email", #"{"email":"a@b.c","password":"\#(Person.password)"}"#, fields: fields),
        try await ada.send(
          .put, "/me/password", #"{"current":"\#(Person.password)","new":"difference engine"}"#, fields: fields),
        try await ada.send(
          .post, "/session", #"{"email":"ada@example.org","password":"\#(Person.password)"}"#, fields: fields),
      ]
      for answer in limited {
        try answer.expectProblem(.tooManyRequests, "rate-limited")
        #expect(answer.fields[.retryAfter] == "60")
      }
      // Not locked out: the signed-in person continues, and a minute later the right password is accepted.
      #expect(try await ada.get("/session").status == .ok)
      hub.clock.advance(by: .seconds(60))
      let later = try await ada.send(
        .put, "/me/password", #"{"current":"\#(Person.password)","new":"difference engine"}"#)
      #expect(later.status == .noContent)
    }
  }

  @Test("No password, token or cookie of these routes is logged", .shows("control 15"))
  func canary() async throws {
    let log = RecordedLog()
    var options = TestHub.Options()
    options.logger = log.logger
    options.registration = .open
    try await TestHub.with(options) { hub in
      let socket = try hub.socket()
      let ada = try await hub.signUp("Ada", over: socket)
      let made = try await ada.send(.post, "/invitations", "{}").json()
      let token = try #require(made["url"]?.text?.split(separator: "/").last.map { String($0) })
      _ = try await hub.memory.send(.get, "/api/v1/invitations/\(token)")
      _ = try await ada.send(.get, "/invitations/\(token)?x=canary-query")
      _ = try await hub.memory.send(.get, "/invite/\(token)?x=canary-query")
      _ = try await ada.send(
        .put, "/me/password", #"{"current":"canary-wrong-1","new":"canary-new-1"}"#)
      _ = try await ada.send(
        .put, "/me/password", #"{"current":"\#(Person.password)","new":"canary-new-2"}"#)
      _ = try await ada.send(.put, "/me/email", #"{"email":"canary@example.org","password":"canary-new-2"}"#)
      _ = try await ada.send(.post, "/accounts", #"{"email":"canary","password":"canary-3","invitation":"canary-4"}"#)
      _ = try await ada.send(.put, "/me/email", "canary-no-json")
      // A responder that fails is logged; otherwise silence would prove nothing.
      #expect(try await ada.send(.get, "/github/users?since=1").status == .internalServerError)
      #expect(log.text.contains("A responder failed"))
      for secret in ["canary", token, Person.password, String(ada.cookie.suffix(64))] {
        #expect(!log.text.contains(secret), "\(secret) was logged")
      }
    }
  }
}
