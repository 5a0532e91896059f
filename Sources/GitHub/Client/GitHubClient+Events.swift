import Base
import Chat
import Outbound

/// A feed of events.
enum EventFeed: Hashable, Sendable {
  /// Events from the users and repositories that a user follows or watches; includes private ones if asked with the
  /// user's own token.
  case received(by: String)
  /// The public part of `received`, the same for every credential.
  case receivedPublic(by: String)
  /// A user's own public activity.
  case performed(by: String)
  /// An organisation's public activity.
  case organization(String)
  /// Activity in a repository.
  case repository(owner: String, name: String)

  /// The path of the feed's first page.
  var path: String {
    func encode(_ segment: String) -> String { PercentEncoding.encode(segment) }
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
    /// The events in GitHub's order, which is not the order of their ids; nil if the validator is still current.
    var events: [EventRecord]?
    /// The next page's number; nil on the last page. GitHub keeps at most 300 events. A short page is not necessarily
    /// the last.
    var next: Int?
    /// The validator for the next request; opaque.
    var etag: String?
    /// The minimum time until the feed may be polled again: `X-Poll-Interval`, or `max-age` if longer. Applies after a
    /// 304 too.
    var pollInterval: Duration
  }

  /// A page of a feed, at most 30 events: 100 long ones could exceed the body limit. Unreadable events are skipped.
  /// Throws `GitHubError` or `CancellationError`.
  func events(path: String, etag: String? = nil, page: Int = 1) async throws -> EventsPage {
    let query = "?per_page=30" + (page > 1 ? "&page=\(page)" : "")
    let answer = try await get(path + query, etag: etag, as: LenientList<EventRecord>.self)
    let next = answer.next?.queryValue("page").flatMap { Int($0) }.flatMap { (page + 1...100).contains($0) ? $0 : nil }
    return EventsPage(
      events: answer.value?.values, next: next, etag: answer.etag,
      pollInterval: max(answer.pollInterval ?? .seconds(60), answer.maxAge ?? .zero))
  }

  /// A page of a feed given by name; see `events(path:etag:page:)`.
  func events(of feed: EventFeed, etag: String? = nil, page: Int = 1) async throws -> EventsPage {
    try await events(path: feed.path, etag: etag, page: page)
  }
}
