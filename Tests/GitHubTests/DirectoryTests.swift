import Chat
import ChatTesting
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The directory")
struct DirectoryTests {
  private let clock = ManualClock()
  private let store = MemoryDirectoryStore()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func directory(_ transport: any Transport, base: String? = nil) -> GitHubDirectory {
    GitHubDirectory(
      configuration: base.map { GitHubConfiguration(base: $0) } ?? GitHubConfiguration(), store: store,
      cacheFolder: folder.path, clock: clock, logger: Logger(label: "test"), transport: transport)
  }

  private static func page(
    _ logins: [String], etag: String? = "W/\"1\"", next: String? = nil
  ) -> TransportResponse {
    let records = logins.enumerated().map { index, login in
      #"{"login":"\#(login)","id":\#(index + 1),"type":"User","avatar_url":"https://avatars.githubusercontent.com/u/\#(index + 1)?v=4"}"#
    }
    var fields: [String: String] = [:]
    fields["etag"] = etag
    fields["link"] = next.map { "<https://api.github.com\($0)>; rel=\"next\"" }
    return TransportResponse(status: 200, fields: fields, body: Array("[\(records.joined(separator: ","))]".utf8))
  }

  private static let limited = TransportResponse(
    status: 403, fields: ["retry-after": "100"], body: Array(#"{"message":"secondary rate limit"}"#.utf8))

  @Test("A fetched page is stored with its cursor, and says who is here", .shows("D5", "D6"))
  func stores() async throws {
    let transport = ScriptedTransport([Self.page(["mojombo", "defunkt"], next: "/users?since=46&per_page=50")])
    let directory = directory(transport)
    #expect(try await directory.storedPage(of: .users, cursor: "") == nil)
    let page = try await directory.page(of: .users, cursor: "")
    #expect(page.accounts.map(\.login) == ["mojombo", "defunkt"])
    #expect(page.accounts.map(\.userID) == [MemoryDirectoryStore.member, nil])
    #expect(page.next == "46" && page.failure == nil && page.fetchedAt == clock.now)
    let stored = try await directory.storedPage(of: .users, cursor: "")
    #expect(stored?.accounts == page.accounts && stored?.next == "46")
    transport.follow { _ in Self.page(["pjhyett"]) }
    _ = try await directory.page(of: .users, cursor: "46")
    #expect(transport.requests.last?.address.queryValue("since") == "46")
  }

  @Test("A page is served for a minute without a request; then a 304 makes it fresh again", .shows("D5"))
  func confirms() async throws {
    let transport = ScriptedTransport([Self.page(["mojombo"], next: "/users?since=1")])
    let directory = directory(transport)
    _ = try await directory.page(of: .users, cursor: "")
    clock.advance(by: .seconds(59))
    _ = try await directory.page(of: .users, cursor: "")
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(1))
    transport.follow { _ in TransportResponse(status: 304, fields: ["etag": "\"1\""]) }
    let page = try await directory.page(of: .users, cursor: "")
    #expect(transport.requests.last?.fields["If-None-Match"] == "W/\"1\"")
    #expect(page.accounts.map(\.login) == ["mojombo"] && page.next == "1")
    #expect(page.fetchedAt == clock.now && page.failure == nil)
    #expect(store.saves == 1 && store.confirmations == 1)
    _ = try await directory.page(of: .users, cursor: "")
    #expect(transport.requests.count == 2)
  }

  @Test("Setting the clock back does not keep a page fresh forever")
  func clockSetBack() async throws {
    let transport = ScriptedTransport { _ in Self.page(["mojombo"]) }
    let directory = directory(transport)
    _ = try await directory.page(of: .users, cursor: "")
    clock.setCivilTime(Timestamp(milliseconds: 0))
    _ = try await directory.page(of: .users, cursor: "")
    #expect(transport.requests.count == 2)
  }

  @Test("While rate-limited, the stored page is served with the reset time, without a request", .shows("D3"))
  func limited() async throws {
    let transport = ScriptedTransport([Self.page(["mojombo"]), Self.limited])
    let directory = directory(transport)
    let first = try await directory.page(of: .users, cursor: "")
    clock.advance(by: .seconds(60))
    let reset = clock.now.adding(seconds: 100)
    for _ in 0..<3 {
      let page = try await directory.page(of: .users, cursor: "")
      #expect(page.accounts == first.accounts && page.fetchedAt == first.fetchedAt)
      #expect(page.failure?.kind == .rateLimited(resetAt: reset))
    }
    let error = await #expect(throws: DirectoryFailure.self) {
      try await directory.page(of: .followers(of: "mojombo"), cursor: "")
    }
    #expect(error?.kind == .rateLimited(resetAt: reset))
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(100))
    transport.follow { _ in Self.page(["mojombo", "defunkt"]) }
    let page = try await directory.page(of: .users, cursor: "")
    #expect(page.accounts.count == 2 && page.failure == nil)
  }

  @Test("On failure the stored page is served with status, id and message; without one it throws", .shows("D4"))
  func fails() async throws {
    let transport = ScriptedTransport([Self.page(["mojombo"])])
    let directory = directory(transport)
    _ = try await directory.page(of: .users, cursor: "")
    clock.advance(by: .seconds(60))
    transport.follow { _ in
      TransportResponse(status: 502, fields: ["x-github-request-id": "A:B"], body: Array("<html>".utf8))
    }
    let failure = DirectoryFailure(kind: .broken, status: 502, requestID: "A:B", message: "GitHub answered 502")
    #expect(try await directory.page(of: .users, cursor: "").failure == failure)
    await #expect(throws: failure) { try await directory.page(of: .users, cursor: "46") }
    transport.follow { (_) throws(TransportFailure) in throw .timedOut }
    #expect(try await directory.page(of: .users, cursor: "").failure?.kind == .unreachable)
  }

  @Test("Logins are case-insensitive; a missing one is cached as missing for a minute", .shows("D1"))
  func logins() async throws {
    let missing = TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8))
    let transport = ScriptedTransport { _ in missing }
    let directory = directory(transport)
    for login in ["Nobody", "nobody", "NOBODY"] {
      let error = await #expect(throws: DirectoryFailure.self) {
        try await directory.page(of: .followers(of: login), cursor: "")
      }
      #expect(error?.kind == .notFound)
      await #expect(throws: DirectoryFailure.self) { try await directory.account(login: login) }
    }
    #expect(transport.requests.map(\.address.path) == ["/users/nobody/followers", "/users/nobody"])
    clock.advance(by: .seconds(60))
    await #expect(throws: DirectoryFailure.self) { try await directory.account(login: "nobody") }
    #expect(transport.requests.count == 3)
  }

  @Test(
    "An invalid login, page or search is refused without a request",
    arguments: [
      (.followers(of: "a/b"), "", .notFound), (.following(of: ""), "", .notFound), (.members(of: ".."), "", .notFound),
      (.followers(of: String(repeating: "a", count: 101)), "", .notFound), (.users, "x", .refused),
      (.followers(of: "a"), "1", .refused), (.users, "https://evil.example/", .refused), (.search(" \n"), "", .refused),
      (.search(String(repeating: "a", count: 257)), "", .refused),
    ] as [(DirectoryList, String, DirectoryFailure.Kind)])
  func refuses(_ list: DirectoryList, _ cursor: String, _ kind: DirectoryFailure.Kind) async throws {
    let directory = directory(ScriptedTransport([]))
    let error = await #expect(throws: DirectoryFailure.self) { try await directory.page(of: list, cursor: cursor) }
    #expect(error?.kind == kind)
    await #expect(throws: DirectoryFailure.self) { try await directory.storedPage(of: list, cursor: cursor) }
  }

  @Test("An account is requested once, then known in any case, with its name")
  func account() async throws {
    let transport = ScriptedTransport([
      TransportResponse(status: 200, body: Array(#"{"login":"Tom","id":9,"type":"User","name":"Tom P"}"#.utf8))
    ])
    let directory = directory(transport)
    #expect(try await directory.account(login: "tom").name == "Tom P")
    #expect(try await directory.account(login: "TOM").id == 9)
    #expect(transport.requests.count == 1)
  }

  @Test("A search is kept in memory only, knows who is here, and makes its accounts known")
  func search() async throws {
    let body =
      #"{"total_count":2,"items":[{"login":"mojombo","id":1,"type":"User"},{"login":"tom","id":5,"type":"User"}]}"#
    let transport = ScriptedTransport([TransportResponse(status: 200, body: Array(body.utf8))])
    let directory = directory(transport)
    let known = GitHubAccount(id: 1, login: "mojombo", type: "User", avatarURL: "")
    try await store.saveGitHubAccount(known, at: clock.now)
    let page = try await directory.page(of: .search("  Tom  "), cursor: "")
    #expect(page.accounts.map(\.userID) == [MemoryDirectoryStore.member, nil])
    #expect(try await directory.storedPage(of: .search("tom"), cursor: "")?.accounts.count == 2)
    _ = try await directory.page(of: .search("tom"), cursor: "")
    #expect(transport.requests.count == 1 && store.saves == 0)
    #expect(page.found == SearchCount(total: 2, isIncomplete: false))
    // An account that nobody opens is not stored; opening one costs no request.
    #expect(try await store.githubAccount(id: 5) == nil)
    #expect(try await directory.account(login: "TOM").id == 5)
    #expect(try await store.githubAccount(id: 5)?.login == "tom" && transport.requests.count == 1)
    clock.advance(by: .seconds(60))
    transport.follow { _ in Self.limited }
    #expect(try await directory.page(of: .search("tom"), cursor: "").failure?.status == 403)
    clock.advance(by: .seconds(600))
    #expect(try await directory.storedPage(of: .search("tom"), cursor: "") == nil)
  }

  @Test("A picture on GitHub's own origin is stored without it, and found again under another")
  func ownPictures() async throws {
    let body = #"[{"login":"a","id":3,"type":"User","avatar_url":"http://127.0.0.1:4000/u/3?v=4"}]"#
    let transport = ScriptedTransport([TransportResponse(status: 200, body: Array(body.utf8))])
    let before = directory(transport, base: "http://127.0.0.1:4000")
    #expect(try await before.page(of: .users, cursor: "").accounts.first?.avatarURL == "/u/3?v=4")
    let picture = TransportResponse(status: 200, body: Pictures.png)
    let other = ScriptedTransport([picture])
    let after = directory(other, base: "http://127.0.0.1:5000")
    #expect(try await after.avatar(of: 3, size: 80).bytes == Pictures.png)
    #expect(other.requests.first?.address.text == "http://127.0.0.1:5000/u/3?v=4&s=80")
  }

  @Test("A picture of an unknown account is not found; a failure to fetch one has a reason")
  func pictures() async throws {
    let transport = ScriptedTransport([Self.page(["mojombo"])])
    let directory = directory(transport)
    let unknown = await #expect(throws: DirectoryFailure.self) { try await directory.avatar(of: 1, size: 40) }
    #expect(unknown?.kind == .notFound)
    _ = try await directory.page(of: .users, cursor: "")
    transport.follow { (_) throws(TransportFailure) in throw .unreachable("no route") }
    let error = await #expect(throws: DirectoryFailure.self) { try await directory.avatar(of: 1, size: 40) }
    #expect(error?.kind == .unreachable && error?.message == "no route")
  }
}
