/// An event on GitHub, reduced to what a news card shows.
package struct NewsItem: Hashable, Sendable {
  /// GitHub's id of the event, verbatim. It is a string that does not sort by time.
  package var id: String
  /// GitHub's name for the event's type, such as `PushEvent`.
  package var type: String
  /// The action, if the type alone is not specific: `opened`, `started`.
  package var action: String?
  /// The account that acted.
  package var actor: GitHubAccount
  /// The repository, if any.
  package var repository: RepositoryName?
  /// The organisation's login, if any.
  package var organization: String?
  /// The object of the action.
  package var subject: NewsSubject
  /// The subject's URL on GitHub, built here from names and numbers.
  package var url: String
  /// When it happened. Items are sorted by this, then by `id`.
  package var createdAt: Timestamp

  package init(
    id: String, type: String, action: String? = nil, actor: GitHubAccount, repository: RepositoryName? = nil,
    organization: String? = nil, subject: NewsSubject, url: String, createdAt: Timestamp
  ) {
    self.id = id
    self.type = type
    self.action = action
    self.actor = actor
    self.repository = repository
    self.organization = organization
    self.subject = subject
    self.url = url
    self.createdAt = createdAt
  }

  /// Whether `one` comes first: newer before older; at the same time the greater id first, comparing ids by length and
  /// then as text.
  package static func isNewer(_ one: NewsItem, _ other: NewsItem) -> Bool {
    if one.createdAt != other.createdAt { return one.createdAt > other.createdAt }
    let (first, second) = (one.id.utf8, other.id.utf8)
    return first.count == second.count ? one.id > other.id : first.count > second.count
  }
}

/// The object of a news item.
package struct NewsSubject: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case repository, issue, pull, release, commit, person, branch, tag, page, other
  }

  package var kind: Kind
  /// Its path in Hubbub.
  package var path: String?
  /// An issue's or pull request's number.
  package var number: Int?
  /// Its title or name, if the event contains it.
  package var title: String?
  /// The first lines of its text.
  package var text: String?
  /// `open`, `closed`, `merged`, `draft`, `approved`, … if the event contains it.
  package var state: String?
  /// A branch, a tag, or a commit's hash.
  package var ref: String?
  /// The number of commits or pages.
  package var count: Int?

  package init(
    kind: Kind, path: String? = nil, number: Int? = nil, title: String? = nil, text: String? = nil,
    state: String? = nil, ref: String? = nil, count: Int? = nil
  ) {
    self.kind = kind
    self.path = path
    self.number = number
    self.title = title
    self.text = text
    self.state = state
    self.ref = ref
    self.count = count
  }
}

/// A news feed.
package enum NewsFeed: Hashable, Sendable {
  /// GitHub's public timeline.
  case everybody
  /// The activity of the accounts that this account follows.
  case received(by: GitHubAccount.Identity)

  /// The feed's key: the GitHub id of its account, which is never reused; 0 for the public timeline.
  package var owner: Int64 {
    switch self {
    case .everybody: 0
    case .received(let identity): identity.id
    }
  }
}

extension GitHubAccount {
  /// An account: its permanent id and its current login.
  package struct Identity: Hashable, Sendable {
    /// GitHub's numeric id.
    package var id: Int64
    /// The login.
    package var login: String

    package init(id: Int64, login: String) {
      self.id = id
      self.login = login
    }
  }
}

/// A page of a feed.
package struct NewsPage: Sendable {
  /// The items, newest first.
  package var items: [NewsItem]
  /// Whether there are older items.
  package var hasMore: Bool
  /// When GitHub last responded for the feed; nil if never.
  package var fetchedAt: Timestamp?
  /// GitHub's polling interval in seconds.
  package var pollInterval: Int
  /// Why the stored page is served although GitHub should have been asked.
  package var failure: DirectoryFailure?

  package init(
    items: [NewsItem], hasMore: Bool, fetchedAt: Timestamp?, pollInterval: Int, failure: DirectoryFailure? = nil
  ) {
    self.items = items
    self.hasMore = hasMore
    self.fetchedAt = fetchedAt
    self.pollInterval = pollInterval
    self.failure = failure
  }
}
