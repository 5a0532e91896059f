import Chat
import ChatTesting
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("GitHub objects")
struct ThingReaderTests {
  private let clock = ManualClock()
  private let store = MemoryNewsStore()
  private static let name = RepositoryName(owner: "O", name: "r.x") ?? unreachable()
  private static func unreachable() -> RepositoryName { preconditionFailure("a good name") }

  private func reader(_ transport: any Transport, credential: GitHubCredential = .anonymous) -> GitHubThingReader {
    var configuration = GitHubConfiguration()
    configuration.credential = credential
    let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    return GitHubThingReader(client: client, store: store, clock: clock, logger: Logger(label: "test"))
  }

  private static func answer(_ body: String, etag: String? = "W/\"1\"") -> TransportResponse {
    var fields: [String: String] = [:]
    fields["etag"] = etag
    return TransportResponse(status: 200, fields: fields, body: Array(body.utf8))
  }

  private static func repository(_ fullName: String = "o/r.x", isPrivate: Bool = false) -> TransportResponse {
    answer(#"{"id":1,"full_name":"\#(fullName)","private":\#(isPrivate),"html_url":"https://github.com/\#(fullName)"}"#)
  }

  private static func issue(_ title: String, in repository: String = "o/r.x") -> TransportResponse {
    answer(
      #"{"number":5,"title":"\#(title)","state":"open","html_url":"https://github.com/\#(repository)/issues/5","#
        + #""user":{"login":"ada","id":9,"type":"User","avatar_url":"https://avatars.githubusercontent.com/u/9?v=4"}}"#)
  }

  private static let missing = TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8))
  private static let address = GitHubAddress.issue(name, number: 5)

  @Test("A thing is stored with its author, served for a minute without a request, then revalidated", .shows("N3"))
  func confirms() async throws {
    let transport = ScriptedTransport([Self.issue("T")])
    let reader = reader(transport)
    let first = try await reader.thing(at: Self.address)
    #expect(first.value.title == "T" && first.value.repository == "o/r.x" && first.fetchedAt == clock.now)
    #expect(first.value.url == "https://github.com/o/r.x/issues/5" && first.value.author?.login == "ada")
    #expect(try await store.githubAccount(id: 9)?.login == "ada")
    #expect(store.things.keys.first == "/github/o/r.x/issues/5")
    clock.advance(by: .seconds(59))
    _ = try await reader.thing(at: .issue(try #require(RepositoryName("o/R.X")), number: 5))
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(1))
    transport.follow { _ in TransportResponse(status: 304) }
    let again = try await reader.thing(at: Self.address)
    #expect(again.value == first.value && again.fetchedAt == clock.now && again.failure == nil)
    #expect(transport.requests.last?.fields["If-None-Match"] == "W/\"1\"")
    clock.advance(by: .seconds(60))
    transport.follow { _ in Self.issue("T2") }
    #expect(try await reader.thing(at: Self.address).value.title == "T2")
  }

  private static let comments = answer(
    #"[{"user":{"login":"ada","id":9,"type":"User"},"body":"**one**\u0007","created_at":"2026-01-02T03:04:05Z","#
      + #""html_url":"https://github.com/o/r.x/issues/5#issuecomment-1"},{"body":null,"user":null},7]"#)

  @Test("Comments come with their authors, oldest first, and from storage for a minute", .shows("N3"))
  func comments() async throws {
    let transport = ScriptedTransport([Self.comments])
    let reader = reader(transport)
    let found = try await reader.comments(on: Self.address)
    #expect(found.value.map(\.text) == ["**one**", ""] && found.value.map(\.author?.login) == ["ada", nil])
    #expect(found.value[0].createdAt?.description == "2026-01-02T03:04:05.000Z")
    #expect(try await store.githubAccount(id: 9)?.login == "ada")
    #expect(try await reader.comments(on: .pull(Self.name, number: 5)).value == found.value)
    let target = try #require(transport.requests.first?.address.target)
    #expect(target == "/repos/O/r.x/issues/5/comments?per_page=30" && transport.requests.count == 1)
    transport.follow { _ in Self.answer("[]") }
    #expect(try await reader.comments(on: .commit(Self.name, sha: "abcdef0")).value == [])
    #expect(transport.requests.last?.address.target == "/repos/O/r.x/commits/abcdef0/comments?per_page=30")
    clock.advance(by: .seconds(60))
    transport.follow { (_) throws(TransportFailure) in throw .unreachable("down") }
    let stale = try await reader.comments(on: Self.address)
    #expect(stale.value == found.value && stale.failure?.kind == .unreachable)
    // The completion of numbers knows things only.
    #expect(try await reader.storedIssues(of: Self.name, matching: IssueFilter("5"), limit: 9) == nil)
  }

  @Test("With an operator's token, comments on what is private or was moved into a private repository are not found")
  func privateComments() async throws {
    for responses in [
      [Self.repository(isPrivate: true)], [Self.repository(), Self.issue("T", in: "o/secret"), Self.missing],
    ] {
      let transport = ScriptedTransport(responses + [Self.comments])
      let error = await #expect(throws: DirectoryFailure.self) {
        try await reader(transport, credential: .token("t")).comments(on: Self.address)
      }
      #expect(error?.kind == .notFound)
      #expect(!transport.requests.contains { $0.address.path.hasSuffix("/comments") })
    }
  }

  @Test(
    "While GitHub fails the stored thing is served with the failure; without one, it is thrown", .shows("N3", "N4"))
  func stale() async throws {
    let transport = ScriptedTransport([Self.issue("T")])
    let reader = reader(transport)
    let first = try await reader.thing(at: Self.address)
    clock.advance(by: .seconds(7200))
    transport.follow { (_) throws(TransportFailure) in throw .unreachable("down") }
    let stale = try await reader.thing(at: Self.address)
    #expect(stale.value == first.value && stale.fetchedAt == first.fetchedAt && stale.failure?.kind == .unreachable)
    transport.follow { _ in TransportResponse(status: 503, body: Array("<html>".utf8)) }
    #expect(try await reader.thing(at: Self.address).failure?.kind == .broken)
    await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: .repository(Self.name)) }
    // A thing that can no longer be decoded counts as missing.
    try await store.saveGitHubThing(
      StoredGitHubThing(key: Self.address.key, content: [1], etag: "x", fetchedAt: clock.now), of: [],
      bounds: NewsBounds())
    await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: Self.address) }
    #expect(transport.requests.last?.fields["If-None-Match"] == nil)
  }

  @Test(
    "A thing that GitHub reports as gone is deleted, and not requested again for a minute", .shows("N3"),
    arguments: [404, 410, 451, 422])
  func gone(status: Int) async throws {
    let transport = ScriptedTransport([Self.issue("T")])
    let reader = reader(transport)
    _ = try await reader.thing(at: Self.address)
    clock.advance(by: .seconds(60))
    transport.follow { _ in TransportResponse(status: status, body: Array(#"{"message":"No"}"#.utf8)) }
    for _ in 0..<3 { await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: Self.address) } }
    #expect(transport.requests.count == 2 && store.things.isEmpty)
    clock.advance(by: .seconds(60))
    transport.follow { _ in Self.issue("Back") }
    #expect(try await reader.thing(at: Self.address).value.title == "Back")
  }

  @Test(
    "With an operator's token the repository is fetched first: private things are not found",
    .shows("N3", "control 8"))
  func guarded() async throws {
    let transport = ScriptedTransport { request in
      request.address.path.hasSuffix("/issues/5") ? Self.issue("secret") : Self.repository(isPrivate: true)
    }
    let reader = reader(transport, credential: .token("t"))
    for address in [
      Self.address, .repository(Self.name), .pull(Self.name, number: 5), .commit(Self.name, sha: "abcdef0"),
    ] {
      await #expect(throws: DirectoryFailure(kind: .notFound, status: 404, message: "Not Found")) {
        try await reader.thing(at: address)
      }
    }
    #expect(transport.requests.map(\.address.path) == ["/repos/O/r.x"] && store.things.isEmpty)
    clock.advance(by: .seconds(61))
    transport.follow { request in
      request.address.path.hasSuffix("/issues/5") ? Self.issue("shown") : Self.repository()
    }
    #expect(try await reader.thing(at: Self.address).value.title == "shown")
    // It becomes private: the stored copy is not shown either.
    clock.advance(by: .seconds(61))
    transport.follow { _ in Self.repository(isPrivate: true) }
    await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: Self.address) }
    // Without that token GitHub itself shows only public things.
    transport.follow { _ in Self.issue("open") }
    let open = self.reader(transport)
    #expect(try await open.thing(at: Self.address).value.title == "open")
    #expect(transport.requests.last?.address.path == "/repos/O/r.x/issues/5")
  }

  @Test(
    "With a token, an issue transferred to a private repository is not found, to a public one it is",
    .shows("N3", "control 8"))
  func transferred() async throws {
    let transport = ScriptedTransport { request in
      switch request.address.path {
      case "/repos/O/r.x": Self.repository()
      case "/repos/new/home": Self.repository("new/home", isPrivate: true)
      default: Self.issue("moved", in: "new/home")
      }
    }
    let reader = reader(transport, credential: .token("t"))
    for _ in 0..<2 { await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: Self.address) } }
    clock.advance(by: .seconds(61))
    transport.follow { request in
      switch request.address.path {
      case "/repos/O/r.x": Self.repository()
      case "/repos/new/home": Self.repository("new/home")
      default: Self.issue("moved", in: "new/home")
      }
    }
    let moved = try await reader.thing(at: Self.address).value
    #expect(moved.repository == "new/home" && moved.address?.path == "/github/new/home/issues/5")
    #expect(moved.url == "https://github.com/new/home/issues/5")
  }

  @Test("A renamed repository is followed, and shown under its new name", .shows("N3"))
  func renamed() async throws {
    let transport = ScriptedTransport { request in
      request.address.path == "/repositories/1"
        ? Self.repository("new/name")
        : TransportResponse(status: 301, fields: ["location": "https://api.github.com/repositories/1"])
    }
    let thing = try await reader(transport).thing(at: .repository(Self.name)).value
    #expect(thing.repository == "new/name" && thing.url == "https://github.com/new/name")
  }

  @Test("Each kind of thing is read completely, and cleaned", .shows("N3"))
  func kinds() async throws {
    let transport = ScriptedTransport([
      Self.answer(
        #"{"id":1,"full_name":"o/r","private":false,"description":"d\u0000","language":"Swift","archived":true,"#
          + #""topics":["a","b"],"license":{"spdx_id":"MIT"},"default_branch":"main","stargazers_count":3,"#
          + #""forks_count":2,"open_issues_count":1,"pushed_at":"2026-01-02T03:04:05Z"}"#),
      Self.answer(
        #"{"number":7,"title":"P","state":"closed","merged":true,"merged_at":"2026-01-02T03:04:05Z","comments":1,"#
          + #""review_comments":2,"commits":3,"additions":4,"deletions":5,"changed_files":6,"#
          + #""labels":[{"name":"bug","color":"FF0000"},{"name":"bad","color":"red;}"}],"#
          + #""base":{"ref":"main"},"head":{"label":"x:y","ref":"y","repo":{"id":2,"full_name":"x/r","private":true}}}"#
      ),
      Self.answer(
        #"{"tag_name":"v1","name":null,"body":"b","prerelease":true,"assets":[{"name":"a"}],"published_at":"2026-01-02T03:04:05Z"}"#
      ),
      Self.answer(#"{"tag_name":"v2","draft":true}"#),
      Self.answer(
        #"{"sha":"abcdef0123","commit":{"message":"one\n\ntwo","author":{"name":"Ada","date":"2026-01-02T03:04:05Z"}},"#
          + #""author":null,"stats":{"additions":1,"deletions":2},"files":[{},{}]}"#),
      Self.answer(
        #"{"number":8,"title":"I","state":"closed","state_reason":"not_planned","closed_at":"2026-01-02T03:04:05Z","user":null}"#
      ),
    ])
    let reader = reader(transport)
    let repository = try await reader.thing(at: .repository(Self.name)).value
    #expect(repository.text == "d" && repository.state == "archived" && repository.topics == ["a", "b"])
    #expect(repository.notes == [.language: "Swift", .license: "MIT", .branch: "main"])
    #expect(repository.counts == [.stars: 3, .forks: 2, .issues: 1] && repository.url == "https://github.com/o/r")
    let pull = try await reader.thing(at: .pull(Self.name, number: 7)).value
    #expect(pull.state == "merged" && pull.closedAt != nil && pull.notes == [.base: "main"])
    #expect(pull.counts == [.comments: 3, .commits: 3, .additions: 4, .deletions: 5, .files: 6])
    #expect(pull.labels == [.init(name: "bug", colour: "ff0000"), .init(name: "bad", colour: nil)])
    let release = try await reader.thing(at: .release(Self.name, tag: "v1")).value
    #expect(release.title == "v1" && release.state == "prerelease" && release.counts == [.assets: 1])
    #expect(release.url == "https://github.com/O/r.x/releases/tag/v1")
    await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: .release(Self.name, tag: "v2")) }
    let commit = try await reader.thing(at: .commit(Self.name, sha: "abcdef0")).value
    #expect(commit.title == "one" && commit.text == "two" && commit.authorName == "Ada" && commit.ref == "abcdef0123")
    let issue = try await reader.thing(at: .issue(Self.name, number: 8)).value
    #expect(issue.kind == .issue && issue.state == "not_planned" && issue.author == nil)
    await #expect(throws: DirectoryFailure.self) { try await reader.thing(at: .person(login: "x")) }
  }

  @Test("A profile is stored with its account; its home page is a web address or missing", .shows("N3"))
  func profile() async throws {
    let transport = ScriptedTransport { request in
      let blog = [
        "/users/a": "vandev.com", "/users/b": "javascript:alert(1)", "/users/c": "", "/users/d": "HTTP://x.org/y",
      ]
      return Self.answer(
        #"{"id":7,"login":"a","name":"Ada","bio":"b\u0007","company":"@x","location":"y","blog":"\#(blog[request.address.path] ?? "")","#
          + #""followers":1,"following":2,"public_repos":3,"created_at":"2026-01-02T03:04:05Z","avatar_url":"https://x/y"}"#
      )
    }
    let reader = reader(transport)
    let ada = try await reader.profile(of: "a")
    #expect(ada.value.name == "Ada" && ada.value.bio == "b" && ada.value.followers == 1 && ada.fetchedAt == clock.now)
    #expect(ada.value.blog == "https://vandev.com" && ada.value.url == "https://github.com/a")
    #expect(try await store.githubAccount(id: 7)?.name == "Ada")
    #expect(try await reader.profile(of: "b").value.blog == nil)
    #expect(try await reader.profile(of: "c").value.blog == nil)
    #expect(try await reader.profile(of: "d").value.blog == "http://x.org/y")
    transport.follow { _ in Self.missing }
    await #expect(throws: DirectoryFailure(kind: .notFound, status: 404, message: "Not Found")) {
      try await reader.profile(of: "nobody")
    }
  }
}
