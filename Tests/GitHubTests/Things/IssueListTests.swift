import Chat
import ChatTesting
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Lists of issues")
struct IssueListTests {
  private let clock = ManualClock()
  private let store = MemoryNewsStore()
  private let name: RepositoryName

  init() throws { name = try #require(RepositoryName(owner: "O", name: "r.x")) }

  private func reader(_ transport: any Transport, credential: GitHubCredential = .anonymous) -> GitHubThingReader {
    var configuration = GitHubConfiguration()
    configuration.credential = credential
    let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    return GitHubThingReader(client: client, store: store, clock: clock, logger: Logger(label: "test"))
  }

  /// An issue with this number and title that changed in this minute of an hour.
  private static func issue(_ number: Int, _ title: String, minute: Int, more: String = "") -> String {
    #"{"number":\#(number),"title":"\#(title)","state":"open","body":"long","#
      + #""updated_at":"2026-01-02T03:\#(minute < 10 ? "0" : "")\#(minute):00Z","#
      + #""user":{"login":"ada","id":9,"type":"User","avatar_url":"https://avatars.githubusercontent.com/u/9?v=4"},"#
      + #""html_url":"https://github.com/o/r.x/issues/\#(number)"\#(more)}"#
  }

  private static func page(_ issues: String..., hasMore: Bool = false) -> TransportResponse {
    var fields = ["etag": "W/\"1\""]
    if hasMore { fields["link"] = "<https://api.github.com/repositories/1/issues?page=2>; rel=\"next\"" }
    return TransportResponse(status: 200, fields: fields, body: Array("[\(issues.joined(separator: ","))]".utf8))
  }

  private static let missing = TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8))

  private func numbers(_ reader: GitHubThingReader, _ text: String = "", limit: Int = 10) async throws -> [Int?] {
    try await reader.issues(of: name, matching: IssueFilter(text), limit: limit).value.map(\.number)
  }

  private func stored(_ reader: GitHubThingReader, _ text: String = "") async throws -> [Int?]? {
    try await reader.storedIssues(of: name, matching: IssueFilter(text), limit: 10)?.value.map(\.number)
  }

  @Test("A list is one request for some minutes, however much is typed; then it is revalidated", .shows("K4"))
  func freshness() async throws {
    let transport = ScriptedTransport { _ in
      Self.page(
        Self.issue(12, "Crash", minute: 2), #"{"bad":1}"#,
        Self.issue(7, "Add dark mode", minute: 1, more: #","draft":true,"pull_request":{"merged_at":null}"#))
    }
    let reader = reader(transport)
    #expect(try await stored(reader) == nil)
    let first = try await reader.issues(of: name, matching: IssueFilter(""), limit: 10)
    #expect(first.value.map(\.number) == [12, 7] && first.fetchedAt == clock.now && first.failure == nil)
    #expect(first.value.map(\.kind) == [.issue, .pull] && first.value.map(\.state) == ["open", "draft"])
    #expect(first.value[0].text.isEmpty && first.value[0].author?.login == "ada")
    #expect(first.value.map(\.url) == ["https://github.com/o/r.x/issues/12", "https://github.com/o/r.x/pull/7"])
    #expect(try await store.githubAccount(id: 9)?.login == "ada")
    for text in ["#", "1", "12", "cra", "dark", "x", "7", "mode add", "", "1"] { _ = try await numbers(reader, text) }
    clock.advance(by: .seconds(179))
    #expect(try await numbers(reader, limit: 1) == [12])
    let again = try await reader.issues(of: try #require(RepositoryName("o/R.X")), matching: IssueFilter("7"), limit: 9)
    #expect(again.value.count == 1 && transport.requests.count == 1)
    #expect(
      transport.requests[0].address.target
        == "/repos/O/r.x/issues?state=all&sort=updated&direction=desc&per_page=100")
    clock.advance(by: .seconds(1))
    transport.follow { _ in TransportResponse(status: 304) }
    let confirmed = try await reader.issues(of: name, matching: IssueFilter("da"), limit: 10)
    #expect(confirmed.value.map(\.number) == [7] && confirmed.fetchedAt == clock.now)
    #expect(transport.requests.last?.fields["If-None-Match"] == "W/\"1\"" && transport.requests.count == 2)
    // Another process, or the same after a restart.
    #expect(try await stored(self.reader(transport)) == [12, 7])
    #expect(transport.requests.count == 2)
  }

  @Test("People who type at the same time cost one request", .shows("K4"))
  func together() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return Self.page(Self.issue(1, "One", minute: 1))
    }
    let reader = reader(transport)
    let name = name
    let typing = (0..<5).map { number in
      Task { try await reader.issues(of: name, matching: IssueFilter("\(number)"), limit: 10).value.count }
    }
    await transport.arrived(1)
    gate.open()
    var found: [Int] = []
    for task in typing { found.append(try await task.value) }
    #expect(found == [0, 1, 0, 0, 0] && transport.requests.count == 1)
  }

  @Test("The list grows by each newest page, without what was deleted or moved", .shows("K4"))
  func grows() async throws {
    let transport = ScriptedTransport([
      Self.page(Self.issue(5, "Five", minute: 5), Self.issue(4, "Four", minute: 4), hasMore: true),
      Self.page(Self.issue(6, "Six", minute: 9), Self.issue(4, "Four again", minute: 8), hasMore: true),
      Self.page(Self.issue(9, "Nine", minute: 30), Self.issue(8, "Eight", minute: 6), hasMore: true),
      Self.page(Self.issue(9, "Nine", minute: 30)),
    ])
    let reader = reader(transport)
    #expect(try await numbers(reader) == [5, 4])
    clock.advance(by: .seconds(180))
    #expect(try await numbers(reader) == [6, 4, 5])
    #expect(try await numbers(reader, "again") == [4])
    clock.advance(by: .seconds(180))
    #expect(try await numbers(reader) == [9, 8, 5], "6 and 4 would be between 9 and 8")
    clock.advance(by: .seconds(180))
    #expect(try await numbers(reader) == [9], "there are no more")
    let many = KnownIssues.merged(
      (1...3).map { Self.thing($0, at: 10) }, isWhole: false, with: (4...9).map { Self.thing($0, at: 5) }, limit: 5)
    #expect(many.map(\.number) == [1, 2, 3, 4, 5])
  }

  private static func thing(_ number: Int, at seconds: Int64) -> GitHubThing {
    var thing = GitHubThing(kind: .issue, repository: "o/r")
    thing.number = number
    thing.updatedAt = Timestamp(milliseconds: seconds * 1000)
    return thing
  }

  @Test("The issue whose whole number is typed is the first, those that changed last follow", .shows("K4"))
  func order() async throws {
    let transport = ScriptedTransport { _ in
      Self.page(
        Self.issue(120, "A", minute: 9), Self.issue(1, "B", minute: 8), Self.issue(13, "C", minute: 7),
        Self.issue(12, "D", minute: 1))
    }
    let reader = reader(transport)
    #expect(try await numbers(reader) == [120, 1, 13, 12])
    #expect(try await numbers(reader, "1") == [1, 120, 13, 12])
    #expect(try await numbers(reader, "#12") == [12, 120])
    #expect(try await numbers(reader, "12", limit: 1) == [12])
    #expect(try await numbers(reader, "0").isEmpty)
  }

  @Test("Issues that were looked at are found too, unless they belong to another repository", .shows("K4"))
  func singles() async throws {
    let old = Self.issue(3, "Old one", minute: 0)
    let moved = Self.issue(2, "Old two", minute: 0).replacing("o/r.x", with: "new/home")
    let transport = ScriptedTransport { request in
      switch request.address.path {
      case "/repos/O/r.x/issues/3": TransportResponse(status: 200, body: Array(old.utf8))
      case "/repos/O/r.x/issues/2": TransportResponse(status: 200, body: Array(moved.utf8))
      default: Self.page(Self.issue(12, "Crash", minute: 2))
      }
    }
    let reader = reader(transport)
    for number in [2, 3] { _ = try await reader.thing(at: .issue(name, number: number)) }
    #expect(try await stored(reader) == [3])
    #expect(try await stored(reader, "old") == [3])
    #expect(try await numbers(reader) == [12, 3])
    let texts = try await reader.issues(of: name, matching: IssueFilter("3"), limit: 1).value.map(\.text)
    #expect(texts == [""])
  }

  @Test("While GitHub fails the stored list is served with the failure, and GitHub is asked rarely", .shows("N4"))
  func stale() async throws {
    let transport = ScriptedTransport([Self.page(Self.issue(12, "Crash", minute: 2))])
    let reader = reader(transport)
    let first = try await reader.issues(of: name, matching: IssueFilter(""), limit: 10)
    clock.advance(by: .seconds(180))
    transport.follow { (_) throws(TransportFailure) in throw .unreachable("down") }
    for _ in 0..<5 {
      let stale = try await reader.issues(of: name, matching: IssueFilter("c"), limit: 10)
      #expect(stale.value == first.value && stale.failure?.kind == .unreachable && stale.fetchedAt == first.fetchedAt)
    }
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(15))
    transport.follow { _ in TransportResponse(status: 304) }
    #expect(try await reader.issues(of: name, matching: IssueFilter(""), limit: 10).failure == nil)
    // Nothing is stored.
    let other = try #require(RepositoryName("o/other"))
    transport.follow { _ in TransportResponse(status: 503, body: Array("<html>".utf8)) }
    let failure = await #expect(throws: DirectoryFailure.self) {
      try await reader.issues(of: other, matching: IssueFilter(""), limit: 10)
    }
    #expect(failure?.kind == .broken)
  }

  @Test("A repository that is gone or private is not found, and nothing of it is shown", .shows("control 8"))
  func gone() async throws {
    let old = Self.issue(3, "Old one", minute: 0)
    let transport = ScriptedTransport { request in
      request.address.path.hasSuffix("/issues/3")
        ? TransportResponse(status: 200, body: Array(old.utf8)) : Self.page(Self.issue(12, "Crash", minute: 2))
    }
    let reader = reader(transport)
    _ = try await reader.thing(at: .issue(name, number: 3))
    #expect(try await numbers(reader) == [12, 3])
    clock.advance(by: .seconds(180))
    transport.follow { _ in Self.missing }
    for _ in 0..<3 {
      let failure = await #expect(throws: DirectoryFailure.self) { try await self.numbers(reader) }
      #expect(failure?.kind == .notFound)
    }
    #expect(transport.requests.count == 3 && store.things.isEmpty)
    #expect(try await stored(reader) == nil)
    clock.advance(by: .seconds(60))
    transport.follow { _ in Self.page(Self.issue(1, "Back", minute: 3)) }
    #expect(try await numbers(reader) == [1])
  }

  @Test("With an operator's token a private repository has no list", .shows("control 8"))
  func guarded() async throws {
    let repository = #"{"id":1,"full_name":"o/r.x","private":true}"#
    let transport = ScriptedTransport { request in
      request.address.path.hasSuffix("/issues")
        ? Self.page(Self.issue(1, "secret", minute: 1))
        : TransportResponse(status: 200, body: Array(repository.utf8))
    }
    let reader = reader(transport, credential: .token("t"))
    await #expect(throws: DirectoryFailure.self) { try await self.numbers(reader) }
    #expect(transport.requests.map(\.address.path) == ["/repos/O/r.x"] && store.things.isEmpty)
    clock.advance(by: .seconds(61))
    let open = repository.replacing("true", with: "false")
    transport.follow { request in
      request.address.path.hasSuffix("/issues")
        ? Self.page(Self.issue(1, "open", minute: 1)) : TransportResponse(status: 200, body: Array(open.utf8))
    }
    for _ in 0..<3 { #expect(try await numbers(reader) == [1]) }
    #expect(transport.requests.count == 3, "the repository once more, and the list once")
  }

  @Test("If a hundred issues are too long, thirty are fetched; a list that cannot be read counts as missing")
  func lengths() async throws {
    let transport = ScriptedTransport { (request) throws(TransportFailure) in
      if request.address.queryValue("per_page") == "100" { throw .oversized }
      return Self.page(Self.issue(1, "One", minute: 1), hasMore: true)
    }
    let reader = reader(transport)
    #expect(try await numbers(reader) == [1])
    #expect(transport.requests.map { $0.address.queryValue("per_page") } == ["100", "30"])
    try await store.saveGitHubThing(
      StoredGitHubThing(key: "/github/o/r.x/issues", content: [1], etag: "x", fetchedAt: clock.now), of: [],
      bounds: NewsBounds())
    clock.advance(by: .seconds(180))
    #expect(try await stored(reader) == nil)
    #expect(try await numbers(reader) == [1])
    #expect(transport.requests.last?.fields["If-None-Match"] == nil)
  }
}
