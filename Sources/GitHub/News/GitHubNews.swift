import Chat
import Logging

/// News feeds on GitHub's API. Safe from any thread.
///
/// There is no background polling: a feed is polled when somebody looks at it and GitHub's own interval has passed,
/// once for all readers. Events are stored and served from the store.
package final class GitHubNews: News {
  /// The pause after a failure that comes with no retry time.
  static let pause = Duration.seconds(5)
  /// The minimum polling interval with a small quota.
  static let frugalInterval = Duration.seconds(300)
  /// The maximum number of requests made for one look at older pages.
  static let mostPages = 4
  /// The maximum number of items that GitHub keeps.
  static let mostItems = NewsBounds().items
  static let oldest: Int64 = 30 * 86_400

  private let client: GitHubClient
  private let store: any NewsStore
  private let clock: any ChatClock
  private let logger: Logger
  private let normalizer: EventNormalizer
  private let times: PollTimes<Poll>
  /// Polls by feed; concurrent readers share one poll.
  private let polls: FetchQueue<Poll, Result<Void, GitHubError>>

  /// A poll of a feed, for the newest events or for events older than the stored ones.
  private struct Poll: Hashable, Sendable {
    let owner: Int64
    var goesDeeper = false

    var deeper: Poll { Poll(owner: owner, goesDeeper: true) }
  }

  /// News from `client`, which is shared with others that use the same quota.
  package init(client: GitHubClient, store: any NewsStore, clock: any ChatClock, logger: Logger) {
    self.client = client
    self.store = store
    self.clock = clock
    self.logger = logger
    normalizer = EventNormalizer(webBase: client.configuration.webBase)
    times = PollTimes(clock: clock)
    polls = FetchQueue(limit: client.configuration.concurrentRequests, finishesStarted: true, clock: clock)
  }

  /// See `News`.
  package func feed(for identity: GitHubAccount.Identity?) -> NewsFeed {
    identity.map { .received(by: $0) } ?? .everybody
  }

  /// See `News`.
  package func storedPage(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
    let stored = try await store.newsFeed(of: feed.owner)
    let items = try await store.newsItems(of: feed.owner, from: (number - 1) * limit, limit: limit + 1)
    let isEnd = number * limit >= Self.mostItems
    return NewsPage(
      items: Array(items.prefix(limit)), hasMore: !isEnd && (items.count > limit || stored?.deeper != nil),
      fetchedAt: stored?.fetchedAt, pollInterval: stored?.pollInterval ?? Int(interval(nil).components.seconds))
  }

  /// See `News`.
  package func page(of feed: NewsFeed, number: Int, limit: Int) async throws -> NewsPage {
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
      // The newest items are complete; a failure to load older ones does not make them stale.
      if number > 1 { failure = error }
    }
    var page = try await storedPage(of: feed, number: number, limit: limit)
    page.failure = failure.map(Self.failure)
    // An empty page would look like the end of the feed.
    if let failure = page.failure, page.fetchedAt == nil || number > 1 && page.items.isEmpty { throw failure }
    return page
  }

  /// Whether to poll GitHub now. During the pause after a failure, throws that failure.
  private func isDue(_ feed: NewsFeed) async throws -> Bool {
    let question = Poll(owner: feed.owner)
    if let entry = times[question] {
      if let failure = entry.failure { throw failure }
      return false
    }
    guard !times.knows(question), let stored = try await store.newsFeed(of: feed.owner) else { return true }
    // After a restart only civil time is known. A clock that was set back must not silence a feed for years.
    let age = clock.now.milliseconds - stored.fetchedAt.milliseconds
    return !(0..<Int64(stored.pollInterval) * 1000).contains(age)
  }

  /// Whether a page extends beyond the stored items while GitHub has more.
  private func needsMore(_ feed: NewsFeed, number: Int, limit: Int) async throws -> Bool {
    guard let stored = try await store.newsFeed(of: feed.owner), stored.deeper != nil else { return false }
    if stored.hasGap, number > 1 { return true }
    let end = min(number * limit, Self.mostItems)
    return try await store.newsItems(of: feed.owner, from: end - 1, limit: 1).isEmpty
  }

  /// Polls for the newest events.
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
      // GitHub's public timeline moves so fast that its pages never overlap.
      guard let stored, case .received = feed else {
        state.deeper = first.next.map(String.init)
        return try await save(items, state)
      }
      (state.deeper, state.hasGap) = (first.next.map(String.init), first.next != nil)
      if try await saveNew(items, state) {
        // A failure from here on leaves a gap, which is closed when somebody scrolls that far.
        _ = await telling(Poll(owner: feed.owner).deeper) { try await fillGap(feed, &state) }
      } else {
        (state.deeper, state.hasGap) = (stored.deeper, stored.hasGap)
        try await save([], state)
      }
    }
  }

  /// Requests older events.
  private func deepen(_ feed: NewsFeed) async -> Result<Void, GitHubError> {
    await telling(Poll(owner: feed.owner).deeper) {
      guard var state = try await store.newsFeed(of: feed.owner) else { return }
      try await fillGap(feed, &state)
    }
  }

  /// Follows pages until one overlaps the stored items (when closing a gap) or brings new ones (when loading older
  /// ones). A short or empty page is not necessarily the last.
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

  /// Stores a page. Returns true if it was not empty and all its items were new.
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

  /// A page of events. A login that no longer exists is resolved by the account's id, which never changes.
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

  /// How long to wait before the next poll: the interval GitHub gives, or longer without a credential, because its 60
  /// requests an hour serve everything on this server.
  private func interval(_ told: Duration?) -> Duration {
    let limit = client.quota().readings.first { $0.resource == GitHubClient.Resource.core.rawValue }?.limit
    return max(told ?? .seconds(60), limit.map { $0 <= 60 } == true ? Self.frugalInterval : .zero)
  }

  /// Runs a poll; logs its failure and pauses the feed.
  private func telling(_ question: Poll, _ body: () async throws -> Void) async -> Result<Void, GitHubError> {
    do {
      try await body()
      return .success(())
    } catch let error as GitHubError {
      // The client already handles rate limits: it fails at once while one applies.
      if case .rateLimited = error.directoryFailure.kind { return .failure(error) }
      logger.notice(
        "GitHub's news cannot be had", metadata: ["kind": "\(error.kind)", "status": "\(error.status ?? 0)"])
      times.rest(question, for: Self.pause, after: error)
      return .failure(error)
    } catch {
      return .failure(GitHubError(kind: .unreachable, message: "the news could not be stored"))
    }
  }

  /// The failure as reported to readers. A feed that GitHub cannot find is not a 404 of ours.
  private static func failure(_ error: GitHubError) -> DirectoryFailure {
    var failure = error.directoryFailure
    if failure.kind == .notFound { failure.kind = .refused }
    return failure
  }
}
