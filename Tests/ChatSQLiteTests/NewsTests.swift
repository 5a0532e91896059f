import Chat
import TestSupport
import Testing

@testable import ChatSQLite
@testable import ChatTesting

@Suite("News and GitHub objects in the store")
struct NewsTests {
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore(path: ":memory:")
  }

  private static let start = Timestamp(milliseconds: 1_790_000_000_000)

  private static func item(_ id: String, at seconds: Int64 = 0, actor: Int64 = 7, login: String = "octocat") -> NewsItem
  {
    NewsItem(
      id: id, type: "IssuesEvent", action: "opened",
      actor: GitHubAccount(id: actor, login: login, type: "User", avatarURL: "https://x/\(actor)?"),
      repository: RepositoryName("o/r"), organization: "o",
      subject: NewsSubject(
        kind: .issue, path: "/github/o/r/issues/5", number: 5, title: "Title", text: "Text", state: "open", ref: "r",
        count: 3),
      url: "https://github.com/o/r/issues/5", createdAt: start.adding(seconds: seconds))
  }

  private static func feed(_ owner: Int64 = 1, etag: String? = "W/\"1\"", at seconds: Int64 = 0) -> StoredNewsFeed {
    StoredNewsFeed(
      owner: owner, etag: etag, deeper: "2", hasGap: true, pollInterval: 60, fetchedAt: start.adding(seconds: seconds))
  }

  private func ids(_ owner: Int64 = 1) async throws -> [String] {
    try await store.newsItems(of: owner, from: 0, limit: 1000).map(\.id)
  }

  private func kept(_ keys: [String]) async throws -> [String] {
    var kept: [String] = []
    for key in keys where try await store.githubThing(key) != nil { kept.append(key) }
    return kept
  }

  @Test("A feed and its items are read back as stored, with the person here who is the actor", .shows("N1", "N4"))
  func roundTrip() async throws {
    #expect(try await store.newsFeed(of: 1) == nil)
    #expect(try await ids().isEmpty)
    let item = Self.item("5")
    #expect(try await store.saveNews([item], Self.feed(), bounds: NewsBounds()) == 1)
    #expect(try await store.newsFeed(of: 1) == Self.feed())
    #expect(try await store.newsItems(of: 1, from: 0, limit: 9) == [item])
    let account = try #require(try await store.githubAccount(id: 7))
    let person = try await store.person(for: account, newID: id(50), at: Self.start)
    #expect(try await store.newsItems(of: 1, from: 0, limit: 9).first?.actor.userID == person.id)
    var bare = Self.item("6", at: -1)
    bare.action = nil
    bare.repository = nil
    bare.organization = nil
    bare.subject = NewsSubject(kind: .other)
    _ = try await store.saveNews([bare], Self.feed(), bounds: NewsBounds())
    #expect(try await store.newsItems(of: 1, from: 1, limit: 9).map(\.subject) == [bare.subject])
    #expect(try await store.newsItems(of: 1, from: 1, limit: 9).first?.repository == nil)
  }

  @Test("Items are identified by their exact ids, and ordered by time, then by id, longer ones first", .shows("N1"))
  func order() async throws {
    let items = [
      Self.item("28417092178", at: 1), Self.item("4712145307", at: 2), Self.item("9", at: 2), Self.item("10", at: 2),
      Self.item("010", at: 2), Self.item("28417092178", at: 1),
    ]
    #expect(try await store.saveNews(items, Self.feed(), bounds: NewsBounds()) == 5)
    #expect(try await ids() == ["4712145307", "010", "10", "9", "28417092178"])
    let sorted = Array(items.dropLast()).sorted(by: NewsItem.isNewer).map(\.id)
    #expect(try await ids() == sorted)
    // An existing item stays as it is and does not count as new.
    #expect(try await store.saveNews([Self.item("9", at: 50)], Self.feed(), bounds: NewsBounds()) == 0)
    #expect(try await ids() == sorted)
    #expect(try await store.newsItems(of: 1, from: 1, limit: 2).map(\.id) == ["010", "10"])
  }

  @Test("Items per feed, their age, and the number of feeds are limited; the public feed stays", .shows("N1"))
  func bounds() async throws {
    var bounds = NewsBounds()
    bounds.items = 3
    bounds.feeds = 2
    bounds.oldest = Self.start.adding(seconds: 2)
    let items = (0..<9).map { Self.item("\($0)", at: Int64($0)) }
    _ = try await store.saveNews(items, Self.feed(), bounds: bounds)
    #expect(try await ids() == ["8", "7", "6"])
    bounds.oldest = Self.start.adding(seconds: 8)
    _ = try await store.saveNews([], Self.feed(), bounds: bounds)
    #expect(try await ids() == ["8"])
    _ = try await store.saveNews(items, Self.feed(0, at: -9), bounds: bounds)
    for owner in 2...4 {
      _ = try await store.saveNews(items, Self.feed(Int64(owner), at: Int64(owner)), bounds: bounds)
    }
    for owner in [1, 2] as [Int64] {
      #expect(try await store.newsFeed(of: owner) == nil)
      #expect(try await ids(owner).isEmpty)
    }
    for owner in [0, 3, 4] as [Int64] { #expect(try await ids(owner) == ["8"]) }
  }

  @Test("An event does not overwrite better data about an account; a new login is taken over", .shows("D8"))
  func actors() async throws {
    let known = GitHubAccount(id: 7, login: "octocat", type: "Organization", name: "Octo", avatarURL: "https://x/7?v=4")
    try await store.saveGitHubAccount(known, at: Self.start)
    _ = try await store.saveNews([Self.item("1")], Self.feed(), bounds: NewsBounds())
    #expect(try await store.githubAccount(id: 7) == known)
    _ = try await store.saveNews([Self.item("2", login: "octopus")], Self.feed(), bounds: NewsBounds())
    let renamed = try #require(try await store.githubAccount(login: "Octopus"))
    #expect(renamed.type == "Organization" && renamed.avatarURL == "https://x/7?v=4" && renamed.name == "Octo")
    #expect(try await store.newsItems(of: 1, from: 0, limit: 9).map(\.actor.login) == ["octopus", "octopus"])
  }

  @Test(
    "Things are stored, replaced and deleted; beyond the limits those confirmed longest ago are removed", .shows("N3")
  )
  func things() async throws {
    func thing(_ key: String, _ seconds: Int64, bytes: Int = 100) -> StoredGitHubThing {
      StoredGitHubThing(
        key: key, content: [UInt8](repeating: 1, count: bytes), etag: "\"\(key)\"",
        fetchedAt: Self.start.adding(seconds: seconds))
    }
    var bounds = NewsBounds()
    bounds.things = 10
    bounds.thingBytes = 2000
    let author = GitHubAccount(id: 9, login: "ada", type: "User", avatarURL: "x")
    try await store.saveGitHubThing(thing("a", 0), of: [author], bounds: bounds)
    #expect(try await store.githubThing("a") == thing("a", 0))
    #expect(try await store.githubAccount(id: 9) == author)
    for number in 0..<9 { try await store.saveGitHubThing(thing("b\(number)", Int64(number)), of: [], bounds: bounds) }
    try await store.saveGitHubThing(thing("a", 50), of: [], bounds: bounds)
    try await store.saveGitHubThing(thing("c", 60), of: [], bounds: bounds)
    #expect(try await kept(["b0", "b1", "b2", "a", "c"]) == ["b2", "a", "c"])
    #expect(try await store.githubThing("a") == thing("a", 50))
    try await store.saveGitHubThing(thing("d", 70, bytes: 1200), of: [], bounds: bounds)
    #expect(try await kept(["b4", "b5", "a", "c", "d"]) == ["b5", "a", "c", "d"])
    try await store.deleteGitHubThing("d")
    #expect(try await store.githubThing("d") == nil)
  }

  @Test("Things are found by the start of their key, the latest first; a thing can have several authors", .shows("K4"))
  func prefixes() async throws {
    let authors = [7, 8].map { GitHubAccount(id: $0, login: "u\($0)", type: "User", avatarURL: "x") }
    let keys = ["/o/r/issues/1", "/o/r/issues/2", "/o/r/issues", "/o/r/issues0", "/o/r2/issues/1"]
    for (number, key) in keys.enumerated() {
      let thing = StoredGitHubThing(
        key: key, content: [UInt8(number)], etag: nil, fetchedAt: Self.start.adding(seconds: Int64(number)))
      try await store.saveGitHubThing(thing, of: authors, bounds: NewsBounds())
    }
    for author in authors { #expect(try await store.githubAccount(id: author.id) == author) }
    let found = try await store.githubThings(under: "/o/r/issues/", limit: 9)
    #expect(found.map(\.key) == ["/o/r/issues/2", "/o/r/issues/1"] && found.map(\.content) == [[1], [0]])
    #expect(try await store.githubThings(under: "/o/r/issues/", limit: 1).map(\.key) == ["/o/r/issues/2"])
  }
}
