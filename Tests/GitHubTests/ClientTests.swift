import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The client")
struct ClientTests {
  private let clock = ManualClock()

  private func client(_ transport: any Transport, _ change: (inout GitHubConfiguration) -> Void = { _ in })
    -> GitHubClient
  {
    var configuration = GitHubConfiguration()
    change(&configuration)
    return GitHubClient(configuration: configuration, transport: transport, clock: clock)
  }

  /// A validator as issued by an earlier response to `credential`.
  private func mark(_ etag: String, _ credential: GitHubCredential = .anonymous) -> String? {
    CredentialState(credential, clock: clock).validator(etag)
  }

  private static func list(_ fields: [String: String] = [:]) -> TransportResponse {
    TransportResponse(status: 200, fields: fields, body: Array(#"[{"login":"mojombo","id":1,"type":"User"}]"#.utf8))
  }

  @Test("Requests have GitHub's header fields, and the base path is prepended as text")
  func headers() async throws {
    let transport = ScriptedTransport([Self.list(), Self.list()])
    let client = client(transport) {
      $0 = GitHubConfiguration(base: "https://host/api/v3/")
      $0.credential = .token("secret")
    }
    _ = try await client.page(of: .followers(of: "shipit[bot]"), at: .page(2), etag: mark(#"W/"x""#, .token("secret")))
    let request = try #require(transport.requests.first)
    #expect(request.address.text == "https://host/api/v3/users/shipit%5Bbot%5D/followers?per_page=100&page=2")
    #expect(
      request.fields == [
        "User-Agent": "Hubbub", "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
        "If-None-Match": #"W/"x""#, "Authorization": "Bearer secret",
      ])
    #expect(request.bodyLimit == 1 << 20)
    let anonymous = self.client(transport) { $0.apiVersion = "" }
    _ = try await anonymous.page(of: .users, at: .since(46), etag: nil)
    #expect(transport.requests[1].address.text == "https://api.github.com/users?per_page=100&since=46")
    #expect(transport.requests[1].fields.keys.sorted() == ["Accept", "User-Agent"])
  }

  @Test("An application authenticates with id and secret; no credential prints its secret")
  func credentials() async throws {
    let transport = ScriptedTransport([Self.list()])
    let application = GitHubCredential.application(id: "id", secret: "secret")
    _ = try await client(transport) { $0.credential = application }.page(of: .users, at: .first, etag: nil)
    #expect(transport.requests[0].fields["Authorization"] == "Basic aWQ6c2VjcmV0")
    for credential in [application, .token("secret"), .anonymous] {
      #expect(!"\(credential)".contains("secret"))
      #expect(!String(reflecting: credential).contains("secret"))
    }
  }

  @Test("Each list has its own address")
  func addresses() async throws {
    let found = TransportResponse(status: 200, body: Array(#"{"total_count":0,"items":[]}"#.utf8))
    let transport = ScriptedTransport([Self.list(), Self.list(), found])
    let client = client(transport)
    _ = try await client.page(of: .following(of: "a"), at: .first, etag: nil)
    _ = try await client.page(of: .members(of: "b"), at: .first, etag: nil)
    _ = try await client.page(of: .search("tom & co"), at: .page(2), etag: nil)
    #expect(
      transport.requests.map(\.address.target) == [
        "/users/a/following?per_page=100", "/orgs/b/public_members?per_page=100",
        "/search/users?q=tom%20%26%20co&per_page=100&page=2",
      ])
  }

  @Test(
    "next is followed only if scheme, host, port and base path are the configured ones",
    arguments: [
      ("https://host:8443/api/v3/users?since=46", true), ("https://host/api/v3/users?since=46", false),
      ("http://host:8443/api/v3/users?since=46", false), ("https://host:8443/users?since=46", false),
      ("https://evil:8443/api/v3/users?since=46", false), ("https://host:8443/api/v3/users?page=2", false),
    ])
  func next(_ address: String, _ isFollowed: Bool) async throws {
    let transport = ScriptedTransport([Self.list(["link": "<\(address)>; rel=\"next\""])])
    let client = client(transport) { $0 = GitHubConfiguration(base: "https://host:8443/api/v3") }
    let page = try await client.page(of: .users, at: .first, etag: nil)
    #expect(page?.next == (isFollowed ? .since(46) : nil))
  }

  @Test("A redirect within the API is followed with the token, three at most")
  func redirects() async throws {
    let moved = TransportResponse(status: 301, fields: ["location": "https://api.github.com/user/1/followers"])
    let transport = ScriptedTransport([moved, moved, moved, Self.list()])
    let client = client(transport) { $0.credential = .token("t") }
    let page = try await client.page(of: .followers(of: "a"), at: .first, etag: nil)
    #expect(page?.accounts.map(\.login) == ["mojombo"])
    #expect(transport.requests[3].address.text == "https://api.github.com/user/1/followers")
    #expect(transport.requests[3].fields["Authorization"] == "Bearer t")
    transport.follow { _ in moved }
    let error = await #expect(throws: GitHubError.self) {
      try await client.page(of: .followers(of: "b"), at: .first, etag: nil)
    }
    #expect(error?.kind == .malformed)
    #expect(transport.requests.count == 8)
  }

  @Test(
    "A redirect away from the API is not followed, so nothing is sent there", .shows("control 11"),
    arguments: ["https://evil.example/user/1", "http://api.github.com/user/1", "//evil.example/", "", "user/1"])
  func foreignRedirect(_ location: String) async throws {
    let transport = ScriptedTransport([TransportResponse(status: 302, fields: ["location": location])])
    let client = client(transport) { $0.credential = .token("t") }
    let error = await #expect(throws: GitHubError.self) { try await client.account(login: "a") }
    #expect(error?.kind == .malformed)
    #expect(transport.requests.count == 1)
  }

  @Test("Identical concurrent requests share one exchange")
  func coalesces() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return Self.list()
    }
    let client = client(transport)
    let tasks = [nil, nil, "x"].map { etag in
      Task.immediate { try await client.page(of: .users, at: .first, etag: etag) }
    }
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(transport.requests.count == 2)
  }

  @Test("Searches start two seconds apart")
  func pace() async throws {
    let found = TransportResponse(status: 200, body: Array(#"{"items":[]}"#.utf8))
    let transport = ScriptedTransport([found, found])
    let client = client(transport)
    _ = try await client.page(of: .search("a"), at: .first, etag: nil)
    async let second = client.page(of: .search("b"), at: .first, etag: nil)
    try await eventually { clock.waiting == 1 }
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(2))
    _ = try await second
    #expect(transport.requests.count == 2)
  }

  @Test("An invalid base address is reported as such")
  func badBase() async throws {
    let client = client(ScriptedTransport([])) { $0.apiBase = "not an address" }
    let error = await #expect(throws: GitHubError.self) { try await client.account(login: "a") }
    #expect(error?.kind == .invalid)
  }
}
