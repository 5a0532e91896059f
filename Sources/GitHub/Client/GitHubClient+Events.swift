import Chat
import Outbound

/// A feed of events.
enum EventFeed: Hashable, Sendable {
  /// What a person receives from whom and what he watches; with a token of his own also private things.
  case received(by: String)
  /// The public part of that, the same for every asker.
  case receivedPublic(by: String)
  /// What a person did in public.
  case performed(by: String)
  /// What happened in an organisation in public.
  case organization(String)
  /// What happened in a repository.
  case repository(owner: String, name: String)

  /// The path of its first page.
  var path: String {
    func encode(_ segment: String) -> String { PercentEncoding.pathSegment(segment) }
    return switch self {
    case .received(let login): "/users/" + encode(login) + "/received_events"
    case .receivedPublic(let login): "/users/" + encode(login) + "/received_events/public"
    case .performed(let login): "/users/" + encode(login) + "/events/public"
    case .organization(let login): "/orgs/" + encode(login) + "/events"
    case .repository(let owner, let name): "/repos/" + encode(owner) + "/" + encode(name) + "/events"
    }
  }
}

extension GitHubClient {
  /// A page of a feed.
  struct EventsPage: Sendable {
    /// The events in GitHub's order, which is not that of their ids; nil where the validator still stands for them.
    var events: [EventRecord]?
    /// The number of the next page, nil at the end: GitHub keeps 300 events at most. A short page is not the end.
    var next: Int?
    /// To ask again with; opaque.
    var etag: String?
    /// The least time until this feed may be asked again (`X-Poll-Interval`, and
    /// `max-age` where that is longer), after a 304 as well.
    var pollInterval: Duration
  }

  /// A page of a feed, 30 events at most: a hundred of the long ones would be more than is read. Events that cannot be read are left out. Throws `GitHubError` or
  /// `CancellationError`.
  func events(path: String, etag: String? = nil, page: Int = 1) async throws -> EventsPage {
    let query = "?per_page=30" + (page > 1 ? "&page=\(page)" : "")
    let answer = try await get(path + query, etag: etag, as: LenientList<EventRecord>.self)
    let next = answer.next?.queryValue("page").flatMap { Int($0) }.flatMap { (page + 1...100).contains($0) ? $0 : nil }
    return EventsPage(
      events: answer.value?.values, next: next, etag: answer.etag,
      pollInterval: max(answer.pollInterval ?? .seconds(60), answer.maxAge ?? .zero))
  }

  /// The same for a feed by name.
  func events(of feed: EventFeed, etag: String? = nil, page: Int = 1) async throws -> EventsPage {
    try await events(path: feed.path, etag: etag, page: page)
  }
}
