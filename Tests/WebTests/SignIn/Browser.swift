import Chat
import HTTP
import HTTPServer
import HTTPServerTesting
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A browser that stores cookies and does not follow redirects automatically.
final class Browser: Sendable {
  let hub: TestHub
  let identity: ScriptedIdentity
  private let cookies = Mutex<[String: String]>([:])

  init(_ hub: TestHub, _ identity: ScriptedIdentity) {
    self.hub = hub
    self.identity = identity
  }

  /// A browser of somebody who has signed in before.
  convenience init(_ hub: TestHub, _ identity: ScriptedIdentity, as person: Person) {
    self.init(hub, identity)
    let pair = person.cookie.split(separator: "=", maxSplits: 1)
    cookies.withLock { $0[String(pair[0])] = String(pair[1]) }
  }

  var jar: [String: String] {
    get { cookies.withLock { $0 } }
    set { cookies.withLock { $0 = newValue } }
  }

  /// The cookies of pending flows.
  var flows: [String] { jar.keys.filter { $0.contains("hubbub_github_") }.sorted() }
  var session: String? { jar.first { $0.key.hasSuffix("hubbub_session") }?.value }

  @discardableResult
  func send(_ method: HTTP.Method, _ path: String, _ body: String? = nil, fields: Fields = [:]) async throws
    -> TestResponse
  {
    var fields = fields
    let pairs = jar.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    if !pairs.isEmpty { fields.set(.cookie, pairs.joined(separator: "; ")) }
    if body != nil { fields.set(.contentType, "application/json") }
    // Equals the origin, so that the browser is not redirected there first.
    if !fields.contains(.host) { fields.set(.host, "hub.example") }
    let answer = try await hub.memory.send(method, path, fields: fields, text: body ?? "")
    for line in answer.fields where line.name == .setCookie {
      let parts = line.value.split(separator: ";")
      let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isGone = line.value.contains("Max-Age=0")
      cookies.withLock { $0[String(pair[0])] = isGone ? nil : String(pair[1]) }
    }
    return answer
  }

  func get(_ path: String, fields: Fields = [:]) async throws -> TestResponse {
    try await send(.get, path, fields: fields)
  }

  /// Starts a sign-in; returns the state that the browser was sent to GitHub with.
  func begin(_ query: String = "") async throws -> String {
    let answer = try await get("/auth/github" + query)
    #expect(answer.status == .seeOther)
    return try Self.state(in: try #require(answer.fields[.location]))
  }

  /// Returns from GitHub; the result is the address of the redirect.
  func end(_ state: String, code: String) async throws -> String {
    let answer = try await get("/auth/github/callback?code=\(code)&state=\(state)")
    #expect(answer.status == .seeOther, "\(answer.text)")
    return answer.fields[.location] ?? ""
  }

  /// Signs in with a GitHub account; the result is the address of the redirect.
  func signIn(_ account: GitHubAccount, _ query: String = "") async throws -> String {
    identity.script("code", .success(account))
    return try await end(try await begin(query), code: "code")
  }

  /// Starts linking; returns the state.
  func beginLink(_ body: String = "{}") async throws -> String {
    let answer = try await send(.post, "/api/v1/me/github", body)
    #expect(answer.status == .ok, "\(answer.text)")
    return try Self.state(in: try #require(try answer.json()["url"]?.text))
  }

  func link(_ account: GitHubAccount) async throws -> String {
    identity.script("code", .success(account))
    return try await end(try await beginLink(), code: "code")
  }

  /// The signed-in person.
  func me() async throws -> JSONValue { try await get("/api/v1/session").json() }

  static func state(in address: String) throws -> String {
    String(try #require(address.split(separator: "state=").last?.split(separator: "&").first))
  }
}

/// Runs `body` with a hub with a scripted GitHub.
func withGitHub(
  _ registration: RegistrationMode = .open, publicBase: String? = nil, throttle: Throttle.Limits? = nil,
  logger: RecordedLog? = nil, _ body: (TestHub, ScriptedIdentity) async throws -> Void
) async throws {
  let identity = ScriptedIdentity()
  var options = TestHub.Options()
  (options.identity, options.registration, options.publicBase) = (identity, registration, publicBase)
  options.throttle = throttle
  if let logger { options.logger = logger.logger }
  try await TestHub.with(options) { try await body($0, identity) }
}
