import Chat
import ChatTesting
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("What the directory costs and survives")
struct DirectoryCostTests {
  private let clock = ManualClock()
  private let store = MemoryDirectoryStore()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func directory(_ transport: any Transport) -> GitHubDirectory {
    GitHubDirectory(
      configuration: GitHubConfiguration(), store: store, cacheFolder: folder.path, clock: clock,
      logger: Logger(label: "test"), transport: transport)
  }

  private static func page(
    _ ids: ClosedRange<Int64>, _ login: String = "u", next: String? = nil
  ) -> TransportResponse {
    let records = ids.map { #"{"login":"\#(login)\#($0)","id":\#($0),"type":"User","avatar_url":""}"# }
    var fields = ["etag": "W/\"\(ids.lowerBound)\""]
    fields["link"] = next.map { "<https://api.github.com\($0)>; rel=\"next\"" }
    return TransportResponse(status: 200, fields: fields, body: Array("[\(records.joined(separator: ","))]".utf8))
  }

  private static func account(_ id: Int64, _ login: String) -> TransportResponse {
    TransportResponse(status: 200, body: Array(#"{"login":"\#(login)","id":\#(id),"type":"User"}"#.utf8))
  }

  private static let missing = TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8))

  @Test(
    "Ten concurrent readers cost one request, in any case of the login, and none for the next minute", .shows("D5"))
  func readers() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return Self.page(1...3)
    }
    let directory = directory(transport)
    let readers = ["octocat", "Octocat", "OCTOCAT", "octoCat", "a", "A"].map { login in
      Task { try await directory.page(of: .followers(of: login), cursor: "") }
    }
    await transport.arrived(2)
    gate.open()
    for reader in readers { #expect(try await reader.value.accounts.count == 3) }
    clock.advance(by: .seconds(59))
    #expect(try await directory.page(of: .followers(of: "OctoCat"), cursor: "").accounts.count == 3)
    #expect(transport.requests.count == 2 && store.saves == 2)
  }

  @Test("A visit to a long list costs one request, until the list changes or an hour has passed", .shows("D5"))
  func laterPages() async throws {
    let transport = ScriptedTransport { request in
      let page = request.address.queryValue("page").flatMap { Int64($0) } ?? 1
      return Self.page(page * 100...page * 100 + 99, next: "/user/9/followers?page=\(page + 1)")
    }
    let directory = directory(transport)
    func visit() async throws {
      for cursor in ["", "2", "3"] { _ = try await directory.page(of: .followers(of: "big"), cursor: cursor) }
    }
    try await visit()
    #expect(transport.requests.count == 3)
    clock.advance(by: .seconds(1800))
    transport.follow { _ in TransportResponse(status: 304) }
    try await visit()
    #expect(transport.requests.count == 4, "the first alone is confirmed")
    clock.advance(by: .seconds(1800))
    try await visit()
    #expect(transport.requests.count == 7, "an hour later all are")
    clock.advance(by: .seconds(100))
    transport.follow { request in
      request.address.queryValue("page") == nil ? Self.page(99...198) : TransportResponse(status: 304)
    }
    try await visit()
    #expect(transport.requests.count == 10, "somebody new has come, so all have moved")
    clock.advance(by: .seconds(100))
    transport.follow { _ in TransportResponse(status: 304) }
    try await visit()
    #expect(transport.requests.count == 11)
  }

  @Test("A queued request without waiters is dropped; one that has been sent is stored")
  func leaves() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return Self.page(1...1)
    }
    let directory = directory(transport)
    let asked = (0..<4).map { number in
      Task { try await directory.page(of: .followers(of: "a\(number)"), cursor: "") }
    }
    await transport.arrived(4)
    let waiting = (0..<20).map { number in
      Task { try await directory.page(of: .followers(of: "b\(number)"), cursor: "") }
    }
    for task in asked + waiting { task.cancel() }
    for task in asked + waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    gate.open()
    try await eventually { store.saves == 4 }
    #expect(try await directory.page(of: .followers(of: "c"), cursor: "").accounts.count == 1)
    #expect(transport.requests.count == 5)
  }

  @Test("Outage: after a timeout, stored lists are served without waiting for GitHub for a while")
  func silence() async throws {
    let transport = ScriptedTransport { _ in Self.page(1...2) }
    let directory = directory(transport)
    for login in ["a", "b"] { _ = try await directory.page(of: .followers(of: login), cursor: "") }
    clock.advance(by: .seconds(60))
    transport.follow { (_) throws(TransportFailure) in throw .timedOut }
    for login in ["a", "b", "a"] {
      let page = try await directory.page(of: .followers(of: login), cursor: "")
      #expect(page.accounts.count == 2 && page.failure?.kind == .unreachable)
    }
    #expect(transport.requests.count == 3, "one found out")
    await #expect(throws: DirectoryFailure.self) { try await directory.page(of: .followers(of: "c"), cursor: "") }
    #expect(transport.requests.count == 4, "what is not stored is worth a try")
    clock.advance(by: .seconds(15))
    transport.follow { _ in TransportResponse(status: 304) }
    for login in ["a", "b"] {
      #expect(try await directory.page(of: .followers(of: login), cursor: "").failure == nil)
    }
    #expect(transport.requests.count == 6)
  }

  @Test("A renamed login's list is found by GitHub's id, and then by its new name", .shows("D1"))
  func renamed() async throws {
    let transport = ScriptedTransport { _ in Self.account(7, "Before") }
    let directory = directory(transport)
    _ = try await directory.account(login: "before")
    transport.follow { request in
      switch request.address.path {
      case "/user/7": Self.account(7, "After")
      case "/users/after/followers": Self.page(1...2, next: "/user/7/followers?page=2")
      default: Self.missing
      }
    }
    for _ in 0..<2 {
      let page = try await directory.page(of: .followers(of: "Before"), cursor: "")
      #expect(page.accounts.count == 2 && page.movedTo == .followers(of: "After") && page.next == "2")
    }
    #expect(
      transport.requests.map(\.address.path) == [
        "/users/before", "/users/before/followers", "/user/7", "/users/after/followers", "/users/before/followers",
      ])
    #expect(try await directory.account(login: "before").id == 7, "and so is whoever had it")
    // Renamed again: the name known here is outdated, the id is not.
    clock.advance(by: .seconds(120))
    transport.follow { request in
      switch request.address.path {
      case "/user/7": Self.account(7, "Later")
      case "/users/later/following": Self.page(3...3)
      default: Self.missing
      }
    }
    let page = try await directory.page(of: .following(of: "before"), cursor: "")
    #expect(page.accounts.map(\.id) == [3] && page.movedTo == .following(of: "Later"))
    // Deleted.
    transport.follow { _ in Self.missing }
    let gone = await #expect(throws: DirectoryFailure.self) {
      try await directory.page(of: .members(of: "before"), cursor: "")
    }
    #expect(gone?.kind == .notFound)
    let same = await #expect(throws: DirectoryFailure.self) {
      transport.follow { $0.address.path == "/user/7" ? Self.account(7, "Later") : Self.missing }
      return try await directory.page(of: .members(of: "later"), cursor: "")
    }
    #expect(same?.kind == .notFound, "no organisation, and not renamed")
  }

  @Test("A search reports its total, and whether it is complete; its pictures are found", .shows("D1"))
  func search() async throws {
    let body =
      #"{"total_count":12345,"incomplete_results":true,"items":[{"login":"a","id":5,"type":"User","#
      + #""avatar_url":"https://avatars.githubusercontent.com/u/5"}]}"#
    let transport = ScriptedTransport([
      TransportResponse(status: 200, body: Array(body.utf8)), TransportResponse(status: 200, body: Pictures.png),
    ])
    let directory = directory(transport)
    let page = try await directory.page(of: .search("x"), cursor: "")
    #expect(page.found == SearchCount(total: 12_345, isIncomplete: true))
    #expect(try await directory.avatar(of: 5, size: 40).bytes == Pictures.png)
    #expect(try await store.githubAccount(id: 5) == nil)
  }

  @Test("An account that a search finds under a new name is renamed here too")
  func searchRenames() async throws {
    let before = GitHubAccount(id: 5, login: "before", type: "User", name: "B", avatarURL: "")
    try await store.saveGitHubAccount(before, at: clock.now)
    let body = #"{"total_count":1,"items":[{"login":"after","id":5,"type":"User"}]}"#
    let directory = directory(ScriptedTransport([TransportResponse(status: 200, body: Array(body.utf8))]))
    let page = try await directory.page(of: .search("x"), cursor: "")
    #expect(page.accounts.map(\.name) == ["B"])
    #expect(try await store.githubAccount(login: "after")?.id == 5)
  }
}
