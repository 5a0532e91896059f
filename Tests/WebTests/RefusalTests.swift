import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Refusals, and what every response has")
struct RefusalTests {
  @Test("Requests from pages on other sites are refused, and change nothing", .shows("control 2"))
  func crossSite() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let bob = try await hub.signUp("Bob")
      let room = try await ada.room(with: bob)
      let foreign: [Fields] = [
        [.origin: "https://evil.example"], [.origin: "null"], [.origin: "http://localhost.evil.example"],
        [.origin: "http://localhost:81"], ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
        [.origin: "http://localhost", "sec-fetch-site": "cross-site"],
        [.origin: "http://localhost", .origin: "http://localhost"],
      ]
      for fields in foreign {
        let answers = [
          try await ada.send(.post, "/rooms/\(room)/messages", #"{"text":"x"}"#, fields: fields),
          try await ada.send(.patch, "/me", #"{"first_name":"Eve"}"#, fields: fields),
          try await ada.send(.delete, "/session", fields: fields),
          try await ada.send(
            .post, "/session", #"{"email":"bob@example.org","password":"\#(Person.password)"}"#, fields: fields),
        ]
        for answer in answers { try answer.expectProblem(.forbidden, "forbidden") }
      }
      #expect(try await ada.get("/rooms/\(room)").json()["last_seq"]?.integer == 0)
      #expect(try await ada.get("/session").json()["first_name"]?.text == "Ada")
      // Reading changes nothing and is not refused; the response is kept from the other site by other means.
      #expect(try await ada.get("/rooms", fields: ["sec-fetch-site": "cross-site"]).status == .ok)
      let own: [Fields] = [
        [.origin: "http://localhost"], [.origin: "http://LOCALHOST", "sec-fetch-site": "same-origin"],
        ["sec-fetch-site": "none"], [:],
      ]
      for fields in own {
        let answer = try await ada.send(.post, "/rooms/\(room)/messages", #"{"text":"x"}"#, fields: fields)
        #expect(answer.status == .created)
      }
    }
  }

  @Test(
    "Each route that may change something refuses pages on other sites; each that is read changes nothing",
    .shows("control 2"))
  func crossSiteRoutes() async throws {
    try await TestHub.with { hub in
      let (ada, bob) = (try await hub.signUp("Ada"), try await hub.signUp("Bob"))
      let room = try await ada.room(with: bob)
      try await bob.say("hi", in: room)
      let session = try #require(try await ada.get("/sessions").json()[0]?["id"]?.text)
      let values = ["room": room, "user": bob.id.description, "seq": "1", "session": session]
      // What a reader leaves behind is when they were last seen.
      func state() async throws -> [String] {
        let me = try await ada.get("/session").json()
        return [
          "\(try await hub.store.lastEventID()) \(try await ada.get("/sessions").json().array.count)",
          "\(me["name"]?.text ?? "") \(me["email"]?.text ?? "") \(me["handle"]?.text ?? "")",
          String(decoding: try await ada.get("/rooms/\(room)/messages").body, as: UTF8.self),
          String(decoding: try await ada.get("/rooms/\(room)/receipts").body, as: UTF8.self),
        ]
      }
      let before = try await state()
      for route in hub.application.router.routes() where route.method != .options {
        let path = route.pattern.split(separator: "/").map { part in
          part.first == ":" ? values[String(part.dropFirst())] ?? "x" : part.first == "*" ? "x" : String(part)
        }
        let answer = try await hub.memory.send(
          route.method, "/" + path.joined(separator: "/"),
          fields: [.cookie: ada.cookie, .contentType: "application/json", "sec-fetch-site": "cross-site"],
          text: [.get, .head].contains(route.method) ? "" : "{}")
        if ![.get, .head].contains(route.method) {
          #expect(answer.status == .forbidden, "\(route.method) \(route.pattern)")
        }
        #expect(try await state() == before, "\(route.method) \(route.pattern)")
      }
    }
  }

  @Test("A host name other than this server's is 421 on each route, before anything is done", .shows("control 2"))
  func rebinding() async throws {
    var options = TestHub.Options()
    (options.publicBase, options.hostNames) = ("http://chat.example.org:8080", ["hub.internal.example"])
    try await TestHub.with(options) { hub in
      let ada = try await hub.signUp("Ada")
      for route in hub.application.router.routes() where route.method != .options {
        let path = route.pattern.split(separator: "/").map { $0.hasPrefix(":") || $0.hasPrefix("*") ? "x" : $0 }
        let answer = try await hub.memory.send(
          route.method, "/" + path.joined(separator: "/"), fields: [.host: "rebound.example", .cookie: ada.cookie])
        #expect(answer.status == .misdirectedRequest, "\(route.method) \(route.pattern)")
      }
      for host in ["evil.org", "chat.example.org.evil.org", "127.0.0.1.evil.org", "x.chat.example.org"] {
        #expect(try await hub.memory.send(.get, "/healthz", fields: [.host: host]).status == .misdirectedRequest)
      }
      for host in [
        "chat.example.org", "CHAT.example.org:443", "chat.example.org.", "hub.internal.example", "localhost:8080",
        "127.0.0.1:9", "[::1]:9", "192.0.2.7", "hubbub:8080", "app.localhost",
      ] {
        #expect(try await hub.memory.send(.get, "/healthz", fields: [.host: host]).status == .ok, "\(host)")
      }
    }
  }

  @Test("A body with another type, or none, is 415", .shows("control 2"))
  func contentTypes() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "rubbish"] {
        let answer = try await ada.send(.patch, "/me", #"{"first_name":"Eve"}"#, fields: [.contentType: type])
        try answer.expectProblem(.unsupportedMediaType, "unsupported-media-type")
        let ended = try await ada.send(.delete, "/session", fields: [.contentType: type])
        try ended.expectProblem(.unsupportedMediaType, "unsupported-media-type")
      }
      let untyped = try await hub.memory.send(
        .patch, "/api/v1/me", fields: [.cookie: ada.cookie], text: #"{"first_name":"Eve"}"#)
      try untyped.expectProblem(.unsupportedMediaType, "unsupported-media-type")
      let empty = try await ada.send(.post, "/session")
      try empty.expectProblem(.unsupportedMediaType, "unsupported-media-type")
      #expect(try await ada.get("/session").json()["first_name"]?.text == "Ada")
      let fine = try await ada.send(
        .patch, "/me", #"{"first_name":"Eve"}"#, fields: [.contentType: "application/json; charset=UTF-8"])
      #expect(fine.status == .ok)
    }
  }

  @Test("Invalid, too deep or too large JSON is 400; JSON other than an object 422", .shows("control 13"))
  func malformed() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
      let many = "[" + String(repeating: "1,", count: 2001) + "1]"
      for body in [
        "", "{", "{\"a\":1,}", "{\"a\":[1 , ]}", "nonsense", "{\"a\":01}", "{} {}", deep, many, "{\"a\":\"\u{1}\"}",
      ] {
        try await ada.send(.patch, "/me", body).expectProblem(.badRequest, "invalid")
      }
      let notUTF8 = try await hub.memory.send(
        .patch, "/api/v1/me", fields: [.cookie: ada.cookie, .contentType: "application/json"],
        body: Array("{\"first_name\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8))
      try notUTF8.expectProblem(.badRequest, "invalid")
      for body in ["[]", "\"text\"", "5", "null", "true", "1.5"] {
        let errors = try await ada.send(.patch, "/me", body).expectProblem(.unprocessableContent, "invalid")
        #expect(errors == ["": "wrong_type"])
      }
    }
  }

  @Test("A body beyond the route's limit is 413 before it is read, and a smaller one is accepted")
  func tooLarge() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let socket = try hub.socket()
      let body = #"{"first_name":"\#(String(repeating: "x", count: 9000))"}"#
      for client in [hub.memory, socket] {
        try await ada.send(.patch, "/me", body, over: client).expectProblem(.contentTooLarge, "too-large")
        let less = try await ada.send(.patch, "/me", String(body.suffix(5000)), over: client)
        #expect(less.status == .badRequest)
      }
    }
  }

  @Test("An unknown path is 404, a method that is not offered 405 with Allow, an unknown one 501")
  func notThere() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      for path in ["/nothing", "/rooms/", "/users/x/y", "/rooms/not-an-id", "/users/not-an-id"] {
        try await ada.get(path).expectProblem(.notFound, "not-found")
      }
      try await hub.memory.send(.get, "/api/v2/rooms").expectProblem(.notFound, "not-found")
      let wrong = try await hub.memory.send(.put, "/api/v1/rooms")
      try wrong.expectProblem(.methodNotAllowed, "invalid")
      #expect(wrong.fields[.allow] == "GET, HEAD, OPTIONS, POST")
      let options = try await hub.memory.send(.options, "/api/v1/rooms")
      #expect(options.status == .noContent && options.fields[.allow] == "GET, HEAD, OPTIONS, POST")
      let unknown = try await hub.memory.send(#require(HTTP.Method("BREW")), "/api/v1/rooms")
      try unknown.expectProblem(.notImplemented, "unavailable")
      let page = try await hub.memory.send(.get, "/nothing")
      #expect(page.status == .notFound && page.fields[.contentType] == "text/html; charset=utf-8")
      #expect(page.text.contains("in-memory"))
    }
  }

  @Test("Every response has each security header once, errors and broken requests too", .shows("control 3"))
  func headers() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      let socket = try hub.socket()
      let names: [FieldName] = [
        "content-security-policy", .xContentTypeOptions, "referrer-policy", "cross-origin-opener-policy",
        "cross-origin-resource-policy", "permissions-policy", .cacheControl, .xRequestID, .date, .contentLength,
      ]
      func head(_ line: String, _ more: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: \(ada.cookie)\r\n\(more)\r\n"
      }
      let json = "Content-Type: application/json\r\n"
      let requests: [(Int, String)] = [
        (200, head("GET /api/v1/rooms")), (200, head("GET /chats")), (200, head("GET /assets/app.css")),
        (200, head("GET /healthz")), (200, head("HEAD /api/v1/session")), (303, head("GET /sign-in")),
        (404, head("GET /api/v1/none")), (404, head("GET /none")), (405, head("PUT /api/v1/rooms")),
        (400, head("PATCH /api/v1/me", json + "Content-Length: 1\r\n") + "{"),
        (413, head("PATCH /api/v1/me", json + "Content-Length: 100000\r\n")),
        (415, head("PATCH /api/v1/me", "Content-Length: 2\r\n") + "{}"),
        (422, head("PATCH /api/v1/me", json + "Content-Length: 2\r\n") + "[]"),
        (403, head("DELETE /api/v1/session", "Origin: http://evil.example\r\n")),
        (204, head("OPTIONS /api/v1/rooms")), (304, head("GET /assets/app.css", "If-None-Match: *\r\n")),
        (206, head("GET /assets/app.css", "Range: bytes=0-1\r\n")),
        (416, head("GET /assets/app.css", "Range: bytes=9999999-\r\n")),
        (412, head("GET /assets/app.css", "If-Match: \"x\"\r\n")), (417, head("GET /", "Expect: tea\r\n")),
        (421, head("GET https://localhost/")), (501, head("BREW /api/v1/rooms")), (400, "GET / HTTP/1.1\r\n\r\n"),
        (505, "GET / HTTP/3.0\r\nHost: a\r\n\r\n"),
        (400, "nonsense\r\n\r\n"), (414, head("GET /" + String(repeating: "a", count: 9000))),
        (431, head("GET /", "A: " + String(repeating: "a", count: 20_000) + "\r\n")),
      ]
      for (status, request) in requests {
        let bytes = try await socket.exchange(Array(request.utf8))
        let answer = try TestResponse(parsing: bytes, isHead: request.hasPrefix("HEAD"))
        let line = request.prefix { $0 != "\r\n" }.prefix(60)
        #expect(answer.status.code == status, "\(line)")
        for name in names {
          // RFC 9110 section 8.6: without a body there is no Content-Length.
          let count = name == .contentLength && Status(status).isBodiless ? 0 : 1
          #expect(answer.fields.all(name).count == count, "\(name) of \(line)")
        }
        #expect(answer.fields[.xContentTypeOptions] == "nosniff")
        let policy = try #require(answer.fields["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("base-uri 'none'") && !policy.contains("unsafe"))
      }
    }
  }

  @Test(
    "Broken requests get problems with the documented names",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400, "invalid"), ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid"),
      ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "unavailable"),
      ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "too-large"),
    ])
  func brokenRequests(_ request: String, _ status: Int, _ name: String) async throws {
    try await TestHub.with { hub in
      let bytes = try await hub.socket().exchange(Array(request.utf8))
      try TestResponse(parsing: bytes).expectProblem(Status(status), name)
    }
  }

  @Test("Every error of the core has its status and name; unexpected ones do not reveal their text")
  func errors() throws {
    let now = Timestamp(milliseconds: 1_790_000_000_000)
    let expected: [(any Error, Int, String)] = [
      (ChatError.invalid([]), 422, "invalid"), (ChatError.notFound, 404, "not-found"),
      (ChatError.unauthenticated, 401, "unauthenticated"), (ChatError.forbidden("x"), 403, "forbidden"),
      (ChatError.conflict("x"), 409, "conflict"), (ChatError.rateLimited(retryAfter: 7), 429, "rate-limited"),
      (ChatError.storageFull, 507, "unavailable"), (ChatError.unavailable("x"), 503, "unavailable"),
      (DirectoryFailure(kind: .notFound, message: "x"), 404, "not-found"),
      (DirectoryFailure(kind: .refused, message: "x"), 502, "github-unavailable"),
      (DirectoryFailure(kind: .unauthorized, message: "x"), 502, "github-unavailable"),
      (DirectoryFailure(kind: .broken, message: "x"), 502, "github-unavailable"),
      (DirectoryFailure(kind: .unreachable, message: "x"), 503, "github-unavailable"),
      (DirectoryFailure(kind: .rateLimited(resetAt: nil), message: "x"), 429, "github-rate-limited"),
      (ProtocolError(.requestTimeout, "x"), 408, "invalid"),
      (ProtocolError(.internalServerError, "x"), 500, "internal"),
      (ProtocolError(.unsupportedMediaType, "x"), 415, "unsupported-media-type"),
    ]
    for (error, status, name) in expected {
      let problem = try #require(Problem(error, now: now))
      #expect(problem.status.code == status && problem.name.rawValue == name, "\(error)")
      #expect(!problem.name.title.isEmpty)
    }
    let limited = DirectoryFailure(kind: .rateLimited(resetAt: now.adding(seconds: -9)), message: "x")
    #expect(Problem(limited, now: now)?.retryAfter == 1)
    #expect(Problem(CancellationError(), now: now) == nil)
  }

  @Test("An internal error is a bare 500, and its text is not logged", .shows("control 15"))
  func unforeseen() async throws {
    let log = RecordedLog()
    var options = TestHub.Options()
    options.logger = log.logger
    try await TestHub.with(options) { hub in
      let ada = try await hub.signUp("Ada")
      let answer = try await ada.get("/github/users")
      try answer.expectProblem(.internalServerError, "internal")
      #expect(!answer.text.contains("Unexpected"))
      let line = try #require(log.lines.first { $0.contains("A responder failed") })
      #expect(line.contains("Unexpected") && line.contains("/api/v1/github/users") && line.contains("in-memory"))
      #expect(!log.lines.contains { $0.contains(Person.password) || $0.contains(ada.cookie) })
    }
  }
}
