import Chat
import ChatTesting
import EventLoop
import FakeGitHub
import Foundation
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

/// The real client and transport against the stand-in over a socket.
@Suite("The client and the stand-in over HTTP")
struct FakeGitHubTests {
  private let clock = ManualClock()

  /// Runs `body` with a stand-in and its directory.
  private func withFake(
    basePath: String = "", timeout: Duration = .seconds(60),
    _ body: (FakeGitHub, GitHubDirectory, GitHubClient) async throws -> Void
  ) async throws {
    let group = try EventLoopGroup(count: 1)
    group.start()
    var options = Simulation.Options()
    options.basePath = basePath
    let fake = FakeGitHub(group: group, options: options)
    var configuration = GitHubConfiguration(base: try await fake.start())
    configuration.apiTimeout = timeout
    let folder = try TemporaryFolder()
    let transport = CurlTransport()
    let directory = GitHubDirectory(
      configuration: configuration, store: MemoryDirectoryStore(), cacheFolder: folder.path, clock: clock,
      logger: Logger(label: "test"), transport: transport)
    let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    let result: Result<Void, any Error>
    do { result = .success(try await body(fake, directory, client)) } catch { result = .failure(error) }
    fake.faults = Faults()
    await fake.stop()
    group.stop()
    try result.get()
  }

  @Test("Every list can be paged through to its end, also below a base path", .shows("D1"), arguments: ["", "/api/v3"])
  func lists(_ basePath: String) async throws {
    try await withFake(basePath: basePath) { _, directory, _ in
      let lists: [DirectoryList] = [
        .users, .followers(of: "rtyler"), .following(of: "mojombo"), .members(of: "codeforamerica"), .search("a"),
      ]
      for list in lists {
        var cursor: String? = ""
        var seen: [Int64] = []
        var pages = 0
        while let next = cursor, pages < 20 {
          // The pace of searches depends on the clock.
          async let asked = directory.page(of: list, cursor: next)
          if case .search = list, pages > 0 {
            try await eventually { clock.waiting > 0 }
            clock.advance(by: .seconds(2))
          }
          let page = try await asked
          #expect(page.failure == nil)
          seen += page.accounts.map(\.id)
          cursor = page.next
          pages += 1
        }
        #expect((pages > 1 || seen.count <= 100) && cursor == nil, "\(list)")
        #expect(Set(seen).count == seen.count)
      }
    }
  }

  @Test("A page is confirmed with 304 over the wire", .shows("D5"))
  func conditional() async throws {
    try await withFake { fake, directory, client in
      _ = try await directory.page(of: .users, cursor: "")
      clock.advance(by: .seconds(61))
      let page = try await directory.page(of: .users, cursor: "")
      #expect(page.failure == nil && page.fetchedAt == clock.now)
      #expect(fake.simulation.requestCount == 2)
      let first = try #require(try await client.page(of: .users, at: .first, etag: nil))
      #expect(try await client.page(of: .users, at: .first, etag: first.etag) == nil)
    }
  }

  @Test("Each fault is a distinct failure, with status and request id if there is a response", .shows("D3", "D4"))
  func faults() async throws {
    try await withFake { fake, directory, _ in
      _ = try await directory.page(of: .users, cursor: "")
      let account = try await directory.account(login: "octocat")
      #expect(account.name == "The Octocat")
      for (fault, status) in [
        (Faults(.serverError), 503), (Faults(.notFound), 404), (Faults(.malformed), 200), (Faults(.outage), nil),
      ] as [(Faults, Int?)] {
        clock.advance(by: .seconds(61))
        fake.faults = fault
        let failure = try #require(try await directory.page(of: .users, cursor: "").failure)
        #expect(failure.status == status, "\(fault.mode)")
        #expect((failure.requestID != nil) == (status != nil))
        #expect(!failure.message.contains("<"))
      }
      clock.advance(by: .seconds(61))
      fake.faults = Faults(.secondary, resetInSeconds: 30)
      let secondary = try await directory.page(of: .users, cursor: "").failure
      #expect(secondary?.kind == .rateLimited(resetAt: clock.now.adding(seconds: 30)))
      clock.advance(by: .seconds(31))
      fake.faults = Faults(.rateLimit, resetInSeconds: 60)
      guard case .rateLimited(let reset?) = try await directory.page(of: .users, cursor: "").failure?.kind else {
        Issue.record("not limited")
        return
      }
      // By GitHub's clock, whatever ours is; a second may pass between its count and its Date.
      #expect((59...61).contains((reset.milliseconds - clock.now.milliseconds) / 1000))
      clock.advance(by: .seconds(62))
      fake.faults = Faults()
      #expect(try await directory.page(of: .users, cursor: "").failure == nil)
    }
  }

  @Test("A response that is too slow ends at the time limit; a slow one within it arrives", .shows("D4"))
  func slow() async throws {
    try await withFake(timeout: .milliseconds(100)) { fake, directory, _ in
      fake.faults = Faults(.slow, delayMilliseconds: 600_000)
      let error = await #expect(throws: DirectoryFailure.self) {
        try await directory.page(of: .users, cursor: "")
      }
      #expect(error?.kind == .unreachable)
    }
    try await withFake { fake, directory, _ in
      fake.faults = Faults(.slow, delayMilliseconds: 1)
      let page = try await directory.page(of: .users, cursor: "")
      #expect(page.accounts.count == 100)
    }
  }

  @Test("Pictures are served from the stand-in's own origin", .shows("D8"))
  func pictures() async throws {
    try await withFake(basePath: "/api/v3") { fake, directory, _ in
      _ = try await directory.page(of: .users, cursor: "")
      let image = try await directory.avatar(of: 1, size: 80)
      #expect(image.mediaType == "image/png")
      #expect(try PNGReader(image.bytes).rows.count == 80)
      fake.faults = Faults(.malformed)
      await #expect(throws: DirectoryFailure.self) { try await directory.avatar(of: 2, size: 80) }
      #expect(try await directory.avatar(of: 1, size: 80).bytes == image.bytes)
    }
  }

  @Test("A response beyond the limit is refused, and a stopped server is unreachable", .shows("control 11"))
  func transport() async throws {
    try await withFake { fake, _, client in
      let base = try #require(client.base)
      let transport = CurlTransport()
      let users = try #require(WebAddress(base.text + "/users"))
      await #expect(throws: TransportFailure.oversized) {
        try await transport.send(
          TransportRequest(
            address: users, reach: .anyAddress, fields: ["User-Agent": "x"], bodyLimit: 100, timeout: .seconds(60)))
      }
      await fake.stop()
      let failure = await #expect(throws: TransportFailure.self) {
        try await transport.send(
          TransportRequest(address: users, reach: .anyAddress, fields: [:], bodyLimit: 1 << 20, timeout: .seconds(60)))
      }
      guard case .unreachable = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }
  }

  @Test("A sign-in over HTTP: consent, code, token, account", .shows("A1"), arguments: ["", "/api/v3"])
  func signIn(_ basePath: String) async throws {
    try await withFake(basePath: basePath) { _, _, client in
      let transport = CurlTransport()
      let signIn = GitHubSignIn(
        configuration: client.configuration, clientID: "demo-client", clientSecret: "demo-secret", clock: clock,
        transport: transport)
      let address = signIn.authorizationAddress(
        state: "state", codeChallenge: StandIn.challenge, redirectURI: StandIn.callback)
      let page = try #require(WebAddress(address))
      let consent = try await transport.send(
        TransportRequest(
          method: .post, address: page, reach: .anyAddress,
          fields: ["Content-Type": "application/x-www-form-urlencoded"],
          body: Array("login=octocat&decision=authorize".utf8), bodyLimit: 1 << 20, timeout: .seconds(60)))
      let back = try #require(consent.fields["location"].flatMap { WebAddress($0) })
      #expect(back.queryValue("state") == "state")
      let code = try #require(back.queryValue("code"))
      let account = try await signIn.account(
        code: code, codeVerifier: StandIn.verifier, redirectURI: StandIn.callback)
      #expect(account.login == "octocat" && account.id == 583_231)
      // A code is valid once.
      let again = await #expect(throws: GitHubIdentityFailure.self) {
        try await signIn.account(code: code, codeVerifier: StandIn.verifier, redirectURI: StandIn.callback)
      }
      #expect(again == .expired)
    }
  }

  @Test("Many concurrent requests all get responses")
  func many() async throws {
    try await withFake { _, _, client in
      let base = try #require(client.base)
      let transport = CurlTransport()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for number in 1...200 {
          tasks.addTask {
            let address = try #require(WebAddress(base.origin + "/u/\(number)?s=40"))
            return try await transport.send(
              TransportRequest(
                address: address, reach: .anyAddress, fields: [:], bodyLimit: 1 << 20, timeout: .seconds(60))
            ).status
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 200, count: 200))
    }
  }
}
