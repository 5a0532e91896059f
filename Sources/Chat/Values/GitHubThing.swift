/// What a news item or an address leads to (N3).
public enum GitHubAddress: Hashable, Sendable {
  case repository(RepositoryName)
  case issue(RepositoryName, number: Int)
  case pull(RepositoryName, number: Int)
  case release(RepositoryName, tag: String)
  case commit(RepositoryName, sha: String)
  case person(login: String)

  /// The repository that it lies in.
  public var repository: RepositoryName? {
    switch self {
    case .repository(let name), .issue(let name, _), .pull(let name, _), .release(let name, _), .commit(let name, _):
      name
    case .person: nil
    }
  }

  /// Where it opens in Hubbub: a path on this server.
  public var path: String {
    switch self {
    case .repository(let name): "/github/" + name.text
    case .issue(let name, let number): "/github/\(name.text)/issues/\(number)"
    case .pull(let name, let number): "/github/\(name.text)/pulls/\(number)"
    case .release(let name, let tag): "/github/\(name.text)/releases/\(PercentEncoding.pathSegment(tag))"
    case .commit(let name, let sha): "/github/\(name.text)/commits/\(PercentEncoding.pathSegment(sha))"
    case .person(let login): "/people/" + PercentEncoding.pathSegment(login)
    }
  }

  /// The same at GitHub, below the address of its pages.
  public var gitHubPath: String {
    switch self {
    case .repository(let name): "/" + name.text
    case .issue(let name, let number): "/\(name.text)/issues/\(number)"
    case .pull(let name, let number): "/\(name.text)/pull/\(number)"
    case .release(let name, let tag): "/\(name.text)/releases/tag/" + Self.encoded(path: tag)
    case .commit(let name, let sha): "/\(name.text)/commit/\(PercentEncoding.pathSegment(sha))"
    case .person(let login): "/" + PercentEncoding.pathSegment(login)
    }
  }

  /// What a stored copy goes by: names in lower case, since case does not count in them; tags as they are.
  public var key: String {
    switch self {
    case .release(let name, let tag):
      "/github/" + name.text.lowercased() + "/releases/" + PercentEncoding.pathSegment(tag)
    default: path.lowercased()
    }
  }

  /// Percent-encoded, but for the slashes between its segments.
  public static func encoded(path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.pathSegment(String($0)) }
      .joined(separator: "/")
  }
}

/// A repository, an issue, a pull request, a release or a commit as a page shows it. All text is plain text.
public struct GitHubThing: Hashable, Sendable, Codable {
  /// Which of them it is.
  public enum Kind: String, Sendable, Codable {
    case repository, issue, pull, release, commit
  }

  /// What can be counted of a thing.
  public enum Count: String, Sendable, Codable, CaseIterable {
    case comments, commits, additions, deletions, files, stars, forks, issues, assets
  }

  /// What else is said of a thing, in a word or an address.
  public enum Note: String, Sendable, Codable, CaseIterable {
    case language, license, homepage, branch, base, head
  }

  /// A label on an issue.
  public struct Label: Hashable, Sendable, Codable {
    /// What it says.
    public var name: String
    /// Its colour: six hexadecimal digits.
    public var colour: String?

    /// A label from its parts.
    public init(name: String, colour: String?) {
      self.name = name
      self.colour = colour
    }
  }

  /// Which of them it is.
  public var kind: Kind
  /// The repository's full name as GitHub spells it now.
  public var repository: String
  /// An issue's or pull request's number.
  public var number: Int?
  /// A release's tag, or a commit's id.
  public var ref: String?
  /// The title; of a commit the first line.
  public var title = ""
  /// What was written.
  public var text = ""
  /// `open`, `closed`, `not_planned`, `merged`, `draft`, `prerelease`, `archived`.
  public var state: String?
  /// Who made it: an account.
  public var author: GitHubProfile.Face?
  /// Who made it, by name, where there is no account.
  public var authorName: String?
  /// Its labels.
  public var labels: [Label] = []
  /// What it is about.
  public var topics: [String] = []
  /// What can be counted of it.
  public var counts: [Count: Int] = [:]
  /// What else is said of it.
  public var notes: [Note: String] = [:]
  /// When it was made or published.
  public var createdAt: Timestamp?
  /// When it last changed.
  public var updatedAt: Timestamp?
  /// When it was closed or merged.
  public var closedAt: Timestamp?
  /// Its address at GitHub.
  public var url = ""

  /// A thing of which nothing more is known yet.
  public init(kind: Kind, repository: String) {
    self.kind = kind
    self.repository = repository
  }

  /// Where it is now; nil where its repository's name cannot be in an address.
  public var address: GitHubAddress? {
    guard let name = RepositoryName(repository) else { return nil }
    switch kind {
    case .repository: return .repository(name)
    case .issue: return number.map { .issue(name, number: $0) }
    case .pull: return number.map { .pull(name, number: $0) }
    case .release: return ref.map { .release(name, tag: $0) }
    case .commit: return ref.map { .commit(name, sha: $0) }
    }
  }
}

/// A person's, bot's or organisation's page on GitHub.
public struct GitHubProfile: Hashable, Sendable, Codable {
  /// An account as far as it is drawn.
  public struct Face: Hashable, Sendable, Codable {
    /// GitHub's numeric id.
    public var id: Int64
    /// The login as GitHub spells it.
    public var login: String
    /// `User`, `Organization`, `Bot`.
    public var type: String
    /// Where GitHub serves the picture.
    public var avatarURL: String

    /// A face from its parts.
    public init(id: Int64, login: String, type: String, avatarURL: String) {
      self.id = id
      self.login = login
      self.type = type
      self.avatarURL = avatarURL
    }

    /// The account that it is.
    public var account: GitHubAccount { GitHubAccount(id: id, login: login, type: type, avatarURL: avatarURL) }
  }

  /// Whose it is.
  public var face: Face
  /// The name, where one is given.
  public var name: String?
  /// What the person says about himself.
  public var bio: String?
  /// Where the person works.
  public var company: String?
  /// Where the person is.
  public var location: String?
  /// The person's own page: an address that begins with `http://` or `https://`.
  public var blog: String?
  /// How many follow this account.
  public var followers: Int?
  /// How many this account follows.
  public var following: Int?
  /// How many public repositories it has.
  public var publicRepositories: Int?
  /// Since when it is there.
  public var createdAt: Timestamp?
  /// Its address at GitHub.
  public var url = ""

  /// A profile of which no more is known.
  public init(face: Face) {
    self.face = face
  }
}

/// Something of GitHub's together with how old it is.
public struct GitHubAnswer<Value: Sendable>: Sendable {
  /// What was asked for.
  public var value: Value
  /// When GitHub last answered for it.
  public var fetchedAt: Timestamp
  /// Why it comes from storage although GitHub was asked.
  public var failure: DirectoryFailure?

  /// An answer from its parts.
  public init(value: Value, fetchedAt: Timestamp, failure: DirectoryFailure? = nil) {
    self.value = value
    self.fetchedAt = fetchedAt
    self.failure = failure
  }
}
