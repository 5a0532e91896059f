/// An account on GitHub as stored in the directory: a person, an organisation or a bot.
package struct GitHubAccount: Hashable, Sendable {
  /// GitHub's numeric id; the key, because logins change owners.
  package var id: Int64
  /// The login in GitHub's spelling.
  package var login: String
  /// `User`, `Organization` or `Bot`, or a type that GitHub adds later.
  package var type: String
  /// The display name, if a full record was fetched.
  package var name: String?
  /// The avatar's URL.
  package var avatarURL: String
  /// The person here who has this account; set when a list is read from the store.
  package var userID: UserID?
  /// Whether that person is a member rather than a guest.
  package var isMember: Bool

  package init(
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

/// A list of the directory.
package enum DirectoryList: Hashable, Sendable {
  /// All of GitHub's users, by id.
  case users
  /// The followers of this login.
  case followers(of: String)
  /// The accounts that this login follows.
  case following(of: String)
  /// The public members of an organisation.
  case members(of: String)
  /// A search by name or login.
  case search(String)
}

/// One page of a list of the directory.
package struct DirectoryPage: Sendable {
  /// The accounts, in GitHub's order.
  package var accounts: [GitHubAccount]
  /// The next page's cursor; nil on the last page. Opaque; safe in a query string once percent-encoded.
  package var next: String?
  /// When GitHub last confirmed this page; nil if nothing is stored.
  package var fetchedAt: Timestamp?
  /// Why the stored page is served although GitHub was asked; nil for a page that GitHub has just confirmed.
  package var failure: DirectoryFailure?
  /// The list under the current login, if the requested one has been renamed.
  package var movedTo: DirectoryList?
  /// A search's total; nil for other lists.
  package var found: SearchCount?

  package init(
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

/// The number of accounts that a search matches; GitHub returns only the first thousand.
package struct SearchCount: Hashable, Sendable {
  /// The number of matches GitHub found.
  package var total: Int
  /// Whether GitHub's search ran out of time.
  package var isIncomplete: Bool

  package init(total: Int, isIncomplete: Bool) {
    self.total = total
    self.isIncomplete = isIncomplete
  }
}

/// Why GitHub's data is not available, classified by what the reader can do about it.
package struct DirectoryFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A primary or secondary rate limit; `resetAt` is when it ends, if GitHub says so.
    case rateLimited(resetAt: Timestamp?)
    /// No such login, organisation or page.
    case notFound
    /// GitHub refused the request itself (422, 403 without a limit, 451).
    case refused
    /// The credentials were not accepted.
    case unauthorized
    /// No response: no route, a timeout, an interrupted transfer.
    case unreachable
    /// A 5xx, or a response that makes no sense.
    case broken
  }

  package var kind: Kind
  /// GitHub's status code, if there was a response.
  package var status: Int?
  /// GitHub's request id, if there was a response.
  package var requestID: String?
  /// GitHub's or the transport's message: one line, at most 200 characters, never HTML.
  package var message: String

  package init(kind: Kind, status: Int? = nil, requestID: String? = nil, message: String) {
    self.kind = kind
    self.status = status
    self.requestID = requestID
    self.message = message
  }
}

/// A picture from the avatar cache.
package struct AvatarImage: Sendable {
  /// The file's bytes, at most 1 MiB.
  package var bytes: [UInt8]
  /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`, from the bytes themselves.
  package var mediaType: String
  /// A strong validator of these bytes, without quotes.
  package var etag: String

  package init(bytes: [UInt8], mediaType: String, etag: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.etag = etag
  }
}
