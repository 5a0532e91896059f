import Chat
import Logging

/// News over GitHub's API (N1, N4). Safe from any thread.
///
/// Nothing runs by itself: a feed is asked for when somebody looks at it and GitHub's own interval has passed, once for
/// all who look. What came is stored, and shown from there.
public final class GitHubNews: News {
  /// How long a feed rests after a failure that says no time.
  static let pause = Duration.seconds(5)
  /// How long a feed rests at least where the quota is small.
  static let frugalInterval = Duration.seconds(300)
  /// How far one look into older pages goes, in questions.
  static let mostPages = 4
  /// How many items GitHub keeps, and for how long.
  static let mostItems = NewsBounds().items
  static let oldest: Int64 = 30 * 86_400

  private let client: GitHubClient
  private let store: any NewsStore
  private let clock: any ChatClock
  private let logger: Logger
  private let normalizer: EventNormalizer
  private let times: PollTimes<Poll>
  /// By feed: those who ask at the same time share one question.
  private let polls: FetchQueue<Poll, Result<Void, GitHubError>>

  /// A question about a feed: for the newest events, or for older ones than are there.
  private struct Poll: Hashable, Sendable {
    let owner: Int64
    var goesDeeper = false

    var deeper: Poll { Poll(owner: owner, goesDeeper: true) }
  }

  /// News by `client`, which is shared with whatever else draws on the same quota.
  public init(client: GitHubClient, store: any NewsStore, clock: any ChatClock, logger: Logger) {
    self.client = client
    self.store = store
    self.clock = clock
    self.logger = logger
    normalizer = EventNormalizer(webBase: client.configuration.webBase)
    times = PollTimes(clock: clock)
    polls = FetchQueue(limit: client.configuration.concurrentRequests, clock: clock)
  }

  /// See `News`.
  public func feed(for identity: GitHubAccount.Identity?) -> NewsFeed {
    identity.map { .received(by: $0) } ?? .everybody
  }

  /// See `News`.
  public func storedPage(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    let stored = try await store.newsFeed(of: feed.owner)
    let items = try await store.newsItems(of: feed.owner, from: (number - 1) * limit, limit: limit + 1)
    let isEnd = number * limit >= Self.mostItems
    return NewsPage(
      items: Array(items.prefix(limit)), hasMore: !isEnd && (items.count > limit || stored?.deeper != nil),
      fetchedAt: stored?.fetchedAt, pollInterval: stored?.pollInterval ?? Int(interval(nil).components.seconds))
  }

  /// See `News`.
  public func page(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    let question = Poll(owner: feed.owner)
    var failure: GitHubError?
    do {
      if try await isDue(feed) { try await polls.value(for: question) { [self] in await poll(feed) }.get() }
    } catch let error as GitHubError {
      failure = error
    }
    do {
      if failure == nil, try await needsMore(feed, number: number, limit: limit) {
        if let failure = times[question.deeper]?.failure { throw failure }
        try await polls.value(for: question.deeper) { [self] in await deepen(feed) }.get()
      }
    } catch let error as GitHubError {
      // The newest are there; that there are no older ones behind them makes them no older.
      if number > 1 { failure = error }
    }
    var page = try await storedPage(of: feed, number: number, limit: limit)
    page.failure = failure.map(Self.failure)
    // An empty page would look like the end.
    if let failure = page.failure, page.fetchedAt == nil || number > 1 && page.items.isEmpty { throw failure }
    return page
  }

  /// Whether GitHub is to be asked. Throws the last failure while that is too short ago.
  private func isDue(_ feed: NewsFeed) async throws -> Bool {
    let question = Poll(owner: feed.owner)
    if let entry = times[question] {
      if let failure = entry.failure { throw failure }
      return false
    }
    guard !times.knows(question), let stored = try await store.newsFeed(of: feed.owner) else { return true }
    // After a restart only the civil time is known; a clock that was set back must not silence a feed for years.
    let age = clock.now.milliseconds - stored.fetchedAt.milliseconds
    return !(0..<Int64(stored.pollInterval) * 1000).contains(age)
  }

  /// Whether a page reaches beyond what is stored while GitHub has more.
  private func needsMore(_ feed: NewsFeed, number: Int, limit: Int) async throws -> Bool {
    guard let stored = try await store.newsFeed(of: feed.owner), stored.deeper != nil else { return false }
    if stored.hasGap, number > 1 { return true }
    let end = min(number * limit, Self.mostItems)
    return try await store.newsItems(of: feed.owner, from: end - 1, limit: 1).isEmpty
  }

  /// Asks for the newest events.
  private func poll(_ feed: NewsFeed) async -> Result<Void, GitHubError> {
    await telling(Poll(owner: feed.owner)) {
      let stored = try await store.newsFeed(of: feed.owner)
      let first = try await ask(feed, etag: stored?.etag, page: 1)
      let interval = interval(first.pollInterval)
      times.rest(Poll(owner: feed.owner), for: interval)
      var state = StoredNewsFeed(
        owner: feed.owner, etag: first.etag ?? stored?.etag, deeper: stored?.deeper, hasGap: stored?.hasGap ?? false,
        pollInterval: Int(interval.components.seconds), fetchedAt: clock.now)
      guard let events = first.events else { return try await save([], state) }
      let items = events.compactMap(normalizer.item)
      // The timeline of all of GitHub runs past: pages of it never meet.
      guard let stored, case .received = feed else {
        state.deeper = first.next.map(String.init)
        return try await save(items, state)
      }
      (state.deeper, state.hasGap) = (first.next.map(String.init), first.next != nil)
      if try await saveNew(items, state) {
        // What fails from here on leaves a gap, which is closed when somebody reads that far.
        _ = await telling(Poll(owner: feed.owner).deeper) { try await fillGap(feed, &state) }
      } else {
        (state.deeper, state.hasGap) = (stored.deeper, stored.hasGap)
        try await save([], state)
      }
    }
  }

  /// Asks for older events.
  private func deepen(_ feed: NewsFeed) async -> Result<Void, GitHubError> {
    await telling(Poll(owner: feed.owner).deeper) {
      guard var state = try await store.newsFeed(of: feed.owner) else { return }
      try await fillGap(feed, &state)
    }
  }

  /// Follows the pages until one meets what is there already (where something was missing in between) or brings something
  /// new (where only older ones were missing). A short or an empty page is not the end.
  private func fillGap(_ feed: NewsFeed, _ state: inout StoredNewsFeed) async throws {
    let wantsToMeet = state.hasGap
    for _ in 0..<Self.mostPages {
      guard let number = state.deeper.flatMap({ Int($0) }) else { break }
      let page = try await ask(feed, etag: nil, page: number)
      let items = (page.events ?? []).compactMap(normalizer.item)
      state.deeper = page.next.map(String.init)
      let isNew = try await saveNew(items, state)
      let isOver = wantsToMeet ? !items.isEmpty && !isNew : isNew
      if isOver || state.deeper == nil {
        state.hasGap = false
        try await save([], state)
        return
      }
    }
  }

  /// Keeps a page. True where all of it was new, an empty one not.
  private func saveNew(_ items: [NewsItem], _ state: StoredNewsFeed) async throws -> Bool {
    try await store.saveNews(items.map(kept), state, bounds: bounds) == items.count && !items.isEmpty
  }

  private func save(_ items: [NewsItem], _ state: StoredNewsFeed) async throws {
    _ = try await store.saveNews(items.map(kept), state, bounds: bounds)
  }

  private func kept(_ item: NewsItem) -> NewsItem {
    var item = item
    item.actor = client.kept(item.actor)
    return item
  }

  private var bounds: NewsBounds {
    var bounds = NewsBounds()
    bounds.oldest = clock.now.adding(seconds: -Self.oldest)
    return bounds
  }

  /// A page of events. A login that is nobody's any more is looked up by its number, which stays.
  private func ask(_ feed: NewsFeed, etag: String?, page: Int) async throws -> GitHubClient.EventsPage {
    guard case .received(let identity) = feed else {
      return try await client.events(path: "/events", etag: etag, page: page)
    }
    do {
      return try await client.events(of: feedOfEvents(identity.login), etag: etag, page: page)
    } catch let error as GitHubError where error.kind == .notFound {
      guard let login = try await client.user(id: identity.id).value?.account.login,
        login.lowercased() != identity.login.lowercased()
      else { throw error }
      return try await client.events(of: feedOfEvents(login), etag: etag, page: page)
    }
  }

  private func feedOfEvents(_ login: String) -> EventFeed {
    if case .token = client.configuration.credential { return .received(by: login) }
    return .receivedPublic(by: login)
  }

  /// How long a feed rests: as GitHub says, and longer where the quota is that of nobody, since its 60 requests an hour
  /// are for all that this server asks.
  private func interval(_ told: Duration?) -> Duration {
    let limit = client.quota().readings.first { $0.resource == GitHubClient.Resource.core.rawValue }?.limit
    return max(told ?? .seconds(60), limit.map { $0 <= 60 } == true ? Self.frugalInterval : .zero)
  }

  /// Asks a question; tells the operator of its failure, and lets it rest.
  private func telling(_ question: Poll, _ body: () async throws -> Void) async -> Result<Void, GitHubError> {
    do {
      try await body()
      return .success(())
    } catch let error as GitHubError {
      // A limit is known to the client, which fails at once while it lasts.
      if case .rateLimited = error.directoryFailure.kind { return .failure(error) }
      logger.notice(
        "GitHub's news cannot be had", metadata: ["kind": "\(error.kind)", "status": "\(error.status ?? 0)"])
      times.rest(question, for: Self.pause, after: error)
      return .failure(error)
    } catch {
      return .failure(GitHubError(kind: .unreachable, message: "the news could not be stored"))
    }
  }

  /// What readers are told. A feed that GitHub does not find is no address of ours that leads nowhere.
  private static func failure(_ error: GitHubError) -> DirectoryFailure {
    var failure = error.directoryFailure
    if failure.kind == .notFound { failure.kind = .refused }
    return failure
  }
}
