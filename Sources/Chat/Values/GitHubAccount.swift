/// An account on GitHub as the directory knows it: a person, an organisation or a bot.
public struct GitHubAccount: Hashable, Sendable {
  /// GitHub's numeric id; the key, since logins change owner.
  public var id: Int64
  /// The login as GitHub spells it.
  public var login: String
  /// `User`, `Organization` or `Bot`, or what GitHub adds later.
  public var type: String
  /// The name, where a full record was fetched.
  public var name: String?
  /// Where GitHub serves the picture.
  public var avatarURL: String
  /// The person here who is this account, filled in when a list is read from the store.
  public var userID: UserID?
  /// Whether that person has an account here.
  public var isMember: Bool

  /// An account from GitHub's answer or the store.
  public init(
    id: Int64, login: String, type: String, name: String? = nil, avatarURL: String, userID: UserID? = nil,
    isMember: Bool = false
  ) {
    self.id = id
    self.login = login
    self.type = type
    self.name = name
    self.avatarURL = avatarURL
    self.userID = userID
    self.isMember = isMember
  }
}

/// A list of the directory (D1).
public enum DirectoryList: Hashable, Sendable {
  /// All of GitHub's users, by id.
  case users
  /// The followers of a login.
  case followers(of: String)
  /// Whom a login follows.
  case following(of: String)
  /// The public members of an organisation.
  case members(of: String)
  /// A search by name or login.
  case search(String)
}

/// One page of a list of the directory.
public struct DirectoryPage: Sendable {
  /// The accounts, in GitHub's order.
  public var accounts: [GitHubAccount]
  /// What to ask for the next page, or nil at the end. Opaque; safe in a query string once percent-encoded.
  public var next: String?
  /// When GitHub last answered for this page; nil when nothing is stored.
  public var fetchedAt: Timestamp?
  /// Why the page comes from storage although GitHub was asked; nil for a page that GitHub has just confirmed.
  public var failure: DirectoryFailure?
  /// The list by its present name, where the login that was asked for has been renamed; else nil.
  public var movedTo: DirectoryList?
  /// What a search said of itself; nil for other lists.
  public var found: SearchCount?

  /// A page from its parts.
  public init(
    accounts: [GitHubAccount], next: String? = nil, fetchedAt: Timestamp? = nil, failure: DirectoryFailure? = nil,
    movedTo: DirectoryList? = nil, found: SearchCount? = nil
  ) {
    self.accounts = accounts
    self.next = next
    self.fetchedAt = fetchedAt
    self.failure = failure
    self.movedTo = movedTo
    self.found = found
  }
}

/// How many accounts a search found, of which GitHub shows the first thousand.
public struct SearchCount: Hashable, Sendable {
  /// How many there are, as far as GitHub looked.
  public var total: Int
  /// Whether GitHub ran out of time before it had looked everywhere.
  public var isIncomplete: Bool

  /// A count from its parts.
  public init(total: Int, isIncomplete: Bool) {
    self.total = total
    self.isIncomplete = isIncomplete
  }
}

/// Why GitHub could not be asked, told apart by what the reader can do (D3, D4).
public struct DirectoryFailure: Error, Hashable, Sendable {
  /// What kind of failure it was.
  public enum Kind: Hashable, Sendable {
    /// A primary or secondary limit; right again at the moment, where GitHub told.
    case rateLimited(resetAt: Timestamp?)
    /// No such login, organisation or page.
    case notFound
    /// GitHub refused the question itself (422, 403 without a limit, 451).
    case refused
    /// Credentials were not accepted.
    case unauthorized
    /// No answer: no route, a time-out, a broken transfer.
    case unreachable
    /// A 5xx, or an answer that makes no sense.
    case broken
  }

  /// What kind of failure it was.
  public var kind: Kind
  /// GitHub's status, where it answered.
  public var status: Int?
  /// GitHub's request id, where it answered.
  public var requestID: String?
  /// GitHub's own message or the transport's, one line, at most 200 characters, never HTML.
  public var message: String

  /// A failure from its parts.
  public init(kind: Kind, status: Int? = nil, requestID: String? = nil, message: String) {
    self.kind = kind
    self.status = status
    self.requestID = requestID
    self.message = message
  }
}

/// A picture from the avatar cache.
public struct AvatarImage: Sendable {
  /// The file's bytes, at most 1 MiB.
  public var bytes: [UInt8]
  /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`, from the bytes themselves.
  public var mediaType: String
  /// A strong validator of these bytes, without quotes.
  public var etag: String

  /// A picture from its parts.
  public init(bytes: [UInt8], mediaType: String, etag: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.etag = etag
  }
}
