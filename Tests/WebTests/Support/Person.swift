import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Web

/// A person with an account and a browser's cookie.
struct Person: Sendable {
  let id: UserID
  let email: String
  let cookie: String
  let client: TestClient

  static let password = "correct horse battery"

  /// Sends a request with the cookie; a body is JSON unless `fields` say otherwise.
  func send(
    _ method: HTTP.Method, _ path: String, _ body: String? = nil, fields: Fields = [:], over other: TestClient? = nil
  ) async throws -> TestResponse {
    var fields = fields
    fields.set(.cookie, cookie)
    if body != nil, !fields.contains(.contentType) { fields.set(.contentType, "application/json") }
    return try await (other ?? client).send(method, "/api/v1" + path, fields: fields, text: body ?? "")
  }

  func get(_ path: String, fields: Fields = [:]) async throws -> TestResponse {
    try await send(.get, path, fields: fields)
  }

  /// Opens the event stream over `socket`.
  func events(_ socket: TestClient, _ query: String = "", fields: Fields = [:]) async throws -> TestEventStream {
    var fields = fields
    fields.set(.cookie, cookie)
    return try await socket.events("/api/v1/events" + query, fields: fields)
  }

  /// Opens or creates the direct room with `peer`, which both have on their list afterwards.
  func room(with peer: Person) async throws -> String {
    let answer = try await send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(peer.id)"}"#)
    _ = try await peer.send(.post, "/rooms", #"{"kind":"direct","user_id":"\#(id)"}"#)
    return try #require(try answer.json()["id"]?.text)
  }

  /// Sends a message and returns its number.
  @discardableResult
  func say(_ text: String, in room: String) async throws -> Int {
    let answer = try await send(.post, "/rooms/\(room)/messages", #"{"text":"\#(text)"}"#)
    #expect(answer.status == .created)
    return try #require(try answer.json()["seq"]?.integer)
  }
}

extension TestHub {
  /// Creates an account and signs it in.
  func signUp(_ firstName: String, _ lastName: String = "", over client: TestClient? = nil) async throws -> Person {
    let client = client ?? memory
    let email = "\(firstName.lowercased())@example.org"
    let answer = try await client.send(
      .post, "/api/v1/accounts", fields: [.contentType: "application/json"],
      text: """
        {"email":"\(email)","password":"\(Person.password)","first_name":"\(firstName)","last_name":"\(lastName)"}
        """)
    #expect(answer.status == .created)
    let id = try #require(try answer.json()["id"]?.text.flatMap { UserID($0) })
    return Person(id: id, email: email, cookie: try answer.cookie(), client: client)
  }

  /// Signs in again: another browser of the same person.
  func signIn(_ person: Person, over client: TestClient? = nil) async throws -> Person {
    let client = client ?? memory
    let answer = try await client.send(
      .post, "/api/v1/session", fields: [.contentType: "application/json", .userAgent: "Second/1.0"],
      text: #"{"email":"\#(person.email)","password":"\#(Person.password)"}"#)
    #expect(answer.status == .ok)
    return Person(id: person.id, email: person.email, cookie: try answer.cookie(), client: client)
  }
}

extension TestResponse {
  /// The cookie set by the response, as a browser sends it back.
  func cookie() throws -> String {
    let field = try #require(fields[.setCookie])
    return String(try #require(field.split(separator: ";").first))
  }
}
