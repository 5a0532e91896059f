import Chat
import ChatTesting
import Logging
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("Polling the news")
struct NewsPollingTests {
  private let clock = ManualClock()
  private let store = MemoryNewsStore()
  private static let octocat = GitHubAccount.Identity(id: 583_231, login: "octocat")
  private static let feed = NewsFeed.received(by: octocat)

  private func news(_ transport: any Transport, credential: GitHubCredential = .anonymous) -> GitHubNews {
    var configuration = GitHubConfiguration()
    configuration.credential = credential
    let client = GitHubClient(configuration: configuration, transport: transport, clock: clock)
    return GitHubNews(client: client, store: store, clock: clock, logger: Logger(label: "test"))
  }

  /// An event `id` minutes before now.
  private func event(_ id: Int, isPublic: Bool = true) -> String {
    let time = Timestamp(milliseconds: clock.now.milliseconds - Int64(1000 - id) * 60_000)
    return #"{"id":"\#(id)","type":"WatchEvent","actor":{"id":1,"login":"a","avatar_url":"x"},"#
      + #""repo":{"name":"o/r"},"payload":{"action":"started"},"public":\#(isPublic),"created_at":"\#(time)"}"#
  }

  private func page(
    _ ids: [Int], next: Int? = nil, etag: String = "W/\"1\"", poll: String? = "60", more: [String: String] = [:]
  ) -> TransportResponse {
    var fields = ["etag": etag, "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4000"].merging(more) { $1 }
    fields["x-poll-interval"] = poll
    fields["link"] = next.map {
      "<https://api.github.com/user/583231/received_events/public?per_page=30&page=\($0)>; rel=\"next\""
    }
    return TransportResponse(
      status: 200, fields: fields, body: Array("[\(ids.map { event($0) }.joined(separator: ","))]".utf8))
  }

  private func ids(_ page: NewsPage) -> [String] { page.items.map(\.id) }

  @Test(
    "Somebody with a login gets their received events, others the public feed; a token allows more requests",
    .shows("N1"))
  func choice() async throws {
    let transport = ScriptedTransport { [self] _ in page([5]) }
    let anonymous = news(transport)
    #expect(anonymous.feed(for: nil) == .everybody && anonymous.feed(for: Self.octocat) == Self.feed)
    #expect(NewsFeed.everybody.owner == 0 && Self.feed.owner == 583_231)
    _ = try await anonymous.page(of: .everybody, number: 1, limit: 10)
    _ = try await anonymous.page(of: Self.feed, number: 1, limit: 10)
    clock.advance(by: .seconds(60))
    _ = try await news(transport, credential: .token("t")).page(of: Self.feed, number: 1, limit: 10)
    #expect(
      transport.requests.map(\.address.path) == [
        "/events", "/users/octocat/received_events/public", "/users/octocat/received_events",
      ])
    #expect(transport.requests.last?.fields["Authorization"] == "Bearer t")
  }

  @Test(
    "GitHub is polled once per interval, conditionally, also after a 304; a longer interval applies at once",
    .shows("N1"))
  func interval() async throws {
    let transport = ScriptedTransport { [self] _ in page([5, 4]) }
    let news = news(transport)
    #expect(ids(try await news.page(of: Self.feed, number: 1, limit: 10)) == ["5", "4"])
    clock.advance(by: .seconds(59))
    _ = try await news.page(of: Self.feed, number: 1, limit: 10)
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(1))
    transport.follow { _ in TransportResponse(status: 304, fields: ["etag": "\"1\"", "x-poll-interval": "120"]) }
    let confirmed = try await news.page(of: Self.feed, number: 1, limit: 10)
    #expect(ids(confirmed) == ["5", "4"] && confirmed.fetchedAt == clock.now && confirmed.pollInterval == 120)
    #expect(transport.requests.last?.fields["If-None-Match"] == "W/\"1\"")
    clock.advance(by: .seconds(119))
    _ = try await news.page(of: Self.feed, number: 1, limit: 10)
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(1))
    transport.follow { [self] _ in page([6, 5], etag: "W/\"2\"", more: ["cache-control": "private, max-age=300"]) }
    let newer = try await news.page(of: Self.feed, number: 1, limit: 10)
    #expect(ids(newer) == ["6", "5", "4"] && newer.pollInterval == 300)
    #expect(try await store.newsFeed(of: 583_231)?.etag?.hasSuffix("W/\"2\"") == true)
  }

  @Test("A restart does not poll earlier either; setting the clock back does not silence a feed", .shows("N1"))
  func restart() async throws {
    let transport = ScriptedTransport { [self] _ in page([5]) }
    _ = try await news(transport).page(of: Self.feed, number: 1, limit: 10)
    clock.advance(by: .seconds(30))
    _ = try await news(transport).page(of: Self.feed, number: 1, limit: 10)
    #expect(transport.requests.count == 1)
    clock.setCivilTime(clock.now.adding(seconds: -86_400))
    _ = try await news(transport).page(of: Self.feed, number: 1, limit: 10)
    #expect(transport.requests.count == 2)
  }

  @Test("With the anonymous quota feeds are polled less often, and never without a reader", .shows("N1"))
  func frugal() async throws {
    let transport = ScriptedTransport { [self] _ in
      page([5], more: ["x-ratelimit-limit": "60", "x-ratelimit-reset": "\(clock.now.milliseconds / 1000 + 3600)"])
    }
    let shown = try await news(transport).page(of: Self.feed, number: 1, limit: 10)
    #expect(shown.pollInterval == 300)
    clock.advance(by: .seconds(86_400))
    #expect(transport.requests.count == 1 && clock.waiting == 0)
  }

  @Test("Concurrent readers of a feed share one poll", .shows("N1"))
  func shared() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { [self] _ in
      await gate.pass()
      return page([5])
    }
    let news = news(transport)
    let readers = (0..<5).map { _ in Task { try await news.page(of: Self.feed, number: 1, limit: 10).items.count } }
    await transport.arrived(1)
    gate.open()
    for reader in readers { #expect(try await reader.value == 1) }
    #expect(transport.requests.count == 1)
  }

  @Test(
    "Older pages are fetched as they are read: overlapping, short and empty ones, none twice, to the end", .shows("N1"))
  func deeper() async throws {
    let transport = ScriptedTransport { [self] request in
      switch request.address.queryValue("page") {
      case nil: page([9, 8, 7], next: 2)
      case "2": page([8, 7], next: 3)
      case "3": page([], next: 4)
      case "4": page([6], next: 5)
      default: page([5, 6])
      }
    }
    let news = news(transport)
    let first = try await news.page(of: Self.feed, number: 1, limit: 3)
    #expect(ids(first) == ["9", "8", "7"] && first.hasMore && transport.requests.count == 1)
    let second = try await news.page(of: Self.feed, number: 2, limit: 1)
    #expect(ids(second) == ["8"] && transport.requests.count == 1)
    let third = try await news.page(of: Self.feed, number: 2, limit: 3)
    #expect(ids(third) == ["6"] && third.hasMore && transport.requests.count == 4)
    let last = try await news.page(of: Self.feed, number: 2, limit: 3)
    #expect(ids(last) == ["6", "5"] && !last.hasMore && transport.requests.count == 5)
    _ = try await news.page(of: Self.feed, number: 2, limit: 3)
    #expect(transport.requests.count == 5)
    #expect(try await news.storedPage(of: Self.feed, number: 2, limit: 3).items.count == 2)
  }

  @Test("Events between two polls are fetched until they overlap the stored ones", .shows("N1"))
  func gap() async throws {
    let transport = ScriptedTransport { [self] _ in page([3, 2, 1]) }
    let news = news(transport)
    _ = try await news.page(of: Self.feed, number: 1, limit: 50)
    clock.advance(by: .seconds(60))
    transport.follow { [self] request in
      switch request.address.queryValue("page") {
      case nil: page([9, 8], next: 2)
      case "2": page([7, 6], next: 3)
      default: page([5, 4, 3], next: 4)
      }
    }
    #expect(
      ids(try await news.page(of: Self.feed, number: 1, limit: 9)) == ["9", "8", "7", "6", "5", "4", "3", "2", "1"])
    #expect(transport.requests.count == 4)
    #expect(try await store.newsFeed(of: 583_231)?.hasGap == false)
  }

  @Test("A gap that could not be closed is closed when somebody reads that far", .shows("N1"))
  func openGap() async throws {
    let transport = ScriptedTransport { [self] _ in page([3, 2, 1]) }
    let news = news(transport)
    _ = try await news.page(of: Self.feed, number: 1, limit: 50)
    clock.advance(by: .seconds(60))
    transport.follow { [self] (request) throws(TransportFailure) in
      if request.address.queryValue("page") != nil { throw .unreachable("down") }
      return page([9, 8], next: 2)
    }
    let torn = try await news.page(of: Self.feed, number: 1, limit: 50)
    #expect(ids(torn) == ["9", "8", "3", "2", "1"] && torn.failure == nil)
    #expect(try await store.newsFeed(of: 583_231)?.hasGap == true)
    // Neither is polled earlier than allowed.
    let asked = transport.requests.count
    #expect(try await news.page(of: Self.feed, number: 1, limit: 50).failure == nil)
    #expect(try await news.page(of: Self.feed, number: 2, limit: 2).failure?.kind == .unreachable)
    #expect(transport.requests.count == asked)
    // An empty page would look like the end.
    await #expect(throws: DirectoryFailure.self) { try await news.page(of: Self.feed, number: 3, limit: 5) }
    clock.advance(by: .seconds(60))
    transport.follow { [self] request in
      request.address.queryValue("page") == nil
        ? TransportResponse(status: 304, fields: [:]) : page([7, 6, 5, 4, 3], next: 3)
    }
    _ = try await news.page(of: Self.feed, number: 2, limit: 2)
    #expect(ids(try await news.storedPage(of: Self.feed, number: 1, limit: 9)).count == 9)
    #expect(try await store.newsFeed(of: 583_231)?.hasGap == false)
  }

  @Test("Events that only a token sees are never shown; a feed belongs to an account by id", .shows("N1", "control 8"))
  func privacy() async throws {
    let transport = ScriptedTransport { [self] _ in
      TransportResponse(status: 200, body: Array("[\(event(9, isPublic: false)),\(event(8))]".utf8))
    }
    let news = news(transport, credential: .token("t"))
    #expect(ids(try await news.page(of: Self.feed, number: 1, limit: 9)) == ["8"])
    // Another account that now has this login does not get the feed stored for the former one.
    transport.follow { [self] _ in page([7]) }
    let other = NewsFeed.received(by: .init(id: 2, login: "octocat"))
    #expect(ids(try await news.page(of: other, number: 1, limit: 9)) == ["7"])
    #expect(ids(try await news.page(of: Self.feed, number: 1, limit: 9)) == ["8"])
  }

  @Test(
    "A renamed login is found by its id; a deleted one is not a 404", .shows("N1"))
  func renamed() async throws {
    let transport = ScriptedTransport { [self] request in
      switch request.address.path {
      case "/user/583231": TransportResponse(status: 200, body: Array(#"{"id":583231,"login":"octopus"}"#.utf8))
      case "/users/octopus/received_events/public": page([5])
      default: TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8))
      }
    }
    #expect(ids(try await news(transport).page(of: Self.feed, number: 1, limit: 9)) == ["5"])
    transport.follow { _ in TransportResponse(status: 404, body: Array(#"{"message":"Not Found"}"#.utf8)) }
    await #expect(throws: DirectoryFailure(kind: .refused, status: 404, message: "Not Found")) {
      try await news(transport).page(of: .received(by: .init(id: 9, login: "gone")), number: 1, limit: 9)
    }
  }

  @Test(
    "While GitHub fails the stored feed is served with the failure and its age, and not polled at once", .shows("N4")
  )
  func stale() async throws {
    let transport = ScriptedTransport { [self] _ in page([5]) }
    let news = news(transport)
    let before = try await news.page(of: Self.feed, number: 1, limit: 9)
    clock.advance(by: .seconds(3600))
    transport.follow { (_) throws(TransportFailure) in throw .timedOut }
    for _ in 0..<3 {
      let stale = try await news.page(of: Self.feed, number: 1, limit: 9)
      #expect(stale.items == before.items && stale.fetchedAt == before.fetchedAt)
      #expect(stale.failure?.kind == .unreachable)
    }
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(5))
    let reset = clock.now.adding(seconds: 101)
    transport.follow { [self] _ in
      TransportResponse(
        status: 403,
        fields: ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "\(clock.now.milliseconds / 1000 + 100)"],
        body: Array(#"{"message":"API rate limit exceeded"}"#.utf8))
    }
    for _ in 0..<3 {
      let limited = try await news.page(of: Self.feed, number: 1, limit: 9)
      #expect(limited.failure?.kind == .rateLimited(resetAt: reset) && limited.items.count == 1)
    }
    #expect(transport.requests.count == 3)
    clock.advance(by: .seconds(102))
    transport.follow { [self] _ in page([6, 5]) }
    let back = try await news.page(of: Self.feed, number: 1, limit: 9)
    #expect(ids(back) == ["6", "5"] && back.failure == nil)
  }

  @Test("Without a stored feed the failure is thrown, and so is one of the store", .shows("N4"))
  func nothing() async throws {
    let transport = ScriptedTransport { (_) throws(TransportFailure) in throw .oversized }
    let news = news(transport)
    #expect(try await news.storedPage(of: Self.feed, number: 1, limit: 9).fetchedAt == nil)
    await #expect(throws: DirectoryFailure.self) { try await news.page(of: Self.feed, number: 1, limit: 9) }
    store.breakDown()
    transport.follow { [self] _ in page([5]) }
    clock.advance(by: .seconds(10))
    await #expect(throws: DirectoryFailure.self) { try await news.page(of: Self.feed, number: 1, limit: 9) }
  }

  @Test("The number of remembered feeds is limited", .shows("N1"))
  func pollTimes() {
    let times = PollTimes<Int>(capacity: 2, clock: clock)
    for owner in 1...3 { times.rest(owner, for: .seconds(owner * 10)) }
    #expect(!times.knows(1) && times.knows(2) && times[3] != nil)
    clock.advance(by: .seconds(20))
    #expect(times[2] == nil && times[3] != nil)
  }
}
