/// One thing that somebody did on GitHub, ready to be shown (N1): an event, cut down to what a card says.
public struct NewsItem: Hashable, Sendable {
  /// GitHub's id of the event, to the letter: a string, neither a number to calculate with nor an order in time.
  public var id: String
  /// GitHub's name of the event's type, such as `PushEvent`.
  public var type: String
  /// What was done, where the type alone does not say: `opened`, `started`.
  public var action: String?
  /// Who did it.
  public var actor: GitHubAccount
  /// Where it was done.
  public var repository: RepositoryName?
  /// The login of the organisation that it belongs to.
  public var organization: String?
  /// What it was done to.
  public var subject: NewsSubject
  /// The address of the subject at GitHub, made here of names and numbers.
  public var url: String
  /// When it was done; order is by this, then by `id`.
  public var createdAt: Timestamp

  /// An item from its parts.
  public init(
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

  /// Newer before older; of one moment the greater id first, ids by their length and then letter by letter.
  public static func isNewer(_ one: NewsItem, _ other: NewsItem) -> Bool {
    if one.createdAt != other.createdAt { return one.createdAt > other.createdAt }
    let (first, second) = (one.id.utf8, other.id.utf8)
    return first.count == second.count ? one.id > other.id : first.count > second.count
  }
}

/// What an item is about.
public struct NewsSubject: Hashable, Sendable {
  /// What kind of thing it is.
  public enum Kind: String, Sendable, CaseIterable {
    case repository, issue, pull, release, commit, person, branch, tag, page, other
  }

  /// What kind of thing it is.
  public var kind: Kind
  /// Where it opens in Hubbub (N3): a path on this server.
  public var path: String?
  /// An issue's or pull request's number.
  public var number: Int?
  /// Its title or name, where the event told it.
  public var title: String?
  /// The first lines of what was written.
  public var text: String?
  /// `open`, `closed`, `merged`, `draft`, `approved`, … where the event told it.
  public var state: String?
  /// A branch, a tag, or a commit's id.
  public var ref: String?
  /// How many commits or pages.
  public var count: Int?

  /// A subject from its parts.
  public init(
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

/// Whose news.
public enum NewsFeed: Hashable, Sendable {
  /// What everybody on GitHub does.
  case everybody
  /// What the accounts do that this one follows.
  case received(by: GitHubAccount.Identity)

  /// What the feed is kept under: GitHub's id of whom it is for, which nobody else ever gets; 0 for everybody's.
  public var owner: Int64 {
    switch self {
    case .everybody: 0
    case .received(let identity): identity.id
    }
  }
}

extension GitHubAccount {
  /// Which account: its number for good, and its login for now.
  public struct Identity: Hashable, Sendable {
    /// GitHub's numeric id.
    public var id: Int64
    /// The login.
    public var login: String

    /// An identity from its parts.
    public init(id: Int64, login: String) {
      self.id = id
      self.login = login
    }
  }
}

/// A page of a feed.
public struct NewsPage: Sendable {
  /// The items, newest first.
  public var items: [NewsItem]
  /// Whether there are older ones.
  public var hasMore: Bool
  /// When GitHub last answered for the feed; nil when it never did.
  public var fetchedAt: Timestamp?
  /// How many seconds GitHub wants between two questions.
  public var pollInterval: Int
  /// Why the page comes from storage although GitHub was to be asked.
  public var failure: DirectoryFailure?

  /// A page from its parts.
  public init(
    items: [NewsItem], hasMore: Bool, fetchedAt: Timestamp?, pollInterval: Int, failure: DirectoryFailure? = nil
  ) {
    self.items = items
    self.hasMore = hasMore
    self.fetchedAt = fetchedAt
    self.pollInterval = pollInterval
    self.failure = failure
  }
}
