import Base

/// The object on GitHub that a news item or a link leads to.
package enum GitHubAddress: Hashable, Sendable {
  case repository(RepositoryName)
  case issue(RepositoryName, number: Int)
  case pull(RepositoryName, number: Int)
  case release(RepositoryName, tag: String)
  case commit(RepositoryName, sha: String)
  case lines(RepositoryName, FileLines)
  case person(login: String)

  /// The repository that it belongs to.
  package var repository: RepositoryName? {
    switch self {
    case .repository(let name), .issue(let name, _), .pull(let name, _), .release(let name, _), .commit(let name, _),
      .lines(let name, _):
      name
    case .person: nil
    }
  }

  /// Its path in Hubbub; lines of a file have no page of their own.
  package var path: String? {
    switch self {
    case .lines: nil
    case .repository(let name): "/github/" + name.text
    case .issue(let name, let number): "/github/\(name.text)/issues/\(number)"
    case .pull(let name, let number): "/github/\(name.text)/pulls/\(number)"
    case .release(let name, let tag): "/github/\(name.text)/releases/\(PercentEncoding.encode(tag))"
    case .commit(let name, let sha): "/github/\(name.text)/commits/\(PercentEncoding.encode(sha))"
    case .person(let login): "/people/" + PercentEncoding.encode(login)
    }
  }

  /// Its path on GitHub, relative to the website's base URL.
  package var gitHubPath: String {
    switch self {
    case .repository(let name): "/" + name.text
    case .issue(let name, let number): "/\(name.text)/issues/\(number)"
    case .pull(let name, let number): "/\(name.text)/pull/\(number)"
    case .release(let name, let tag): "/\(name.text)/releases/tag/" + Self.encoded(path: tag)
    case .commit(let name, let sha): "/\(name.text)/commit/\(PercentEncoding.encode(sha))"
    case .lines(let name, let lines): "/\(name.text)/blob/" + lines.text
    case .person(let login): "/" + PercentEncoding.encode(login)
    }
  }

  /// The key of a stored copy: names in lower case, since they are case-insensitive; tags and files verbatim.
  package var key: String {
    switch self {
    case .release(let name, let tag):
      "/github/" + name.text.lowercased() + "/releases/" + PercentEncoding.encode(tag)
    case .lines(let name, let lines): "/github/" + name.text.lowercased() + "/blob/" + lines.text
    default: (path ?? "").lowercased()
    }
  }

  /// The path percent-encoded, except for the slashes.
  package static func encoded(path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }
}

/// Some lines of a file as of a commit: what a permalink names.
package struct FileLines: Hashable, Sendable {
  /// More lines than this are cut.
  package static let most = 60

  /// The commit's full id, in lower case.
  package let commit: String
  /// The file's path within the repository, decoded.
  package let path: String
  /// The numbers of the first and the last line, starting at 1.
  package let range: ClosedRange<Int>

  /// At most `most` lines, from the first.
  package init(commit: String, path: String, range: ClosedRange<Int>) {
    self.commit = commit
    self.path = path
    self.range = range.clamped(to: range.lowerBound...range.lowerBound + Self.most - 1)
  }

  /// `commit/path#L3-L7`, percent-encoded, as in GitHub's addresses.
  var text: String {
    let end = range.count > 1 ? "-L\(range.upperBound)" : ""
    return commit + "/" + GitHubAddress.encoded(path: path) + "#L\(range.lowerBound)\(end)"
  }
}

/// A repository, an issue, a pull request, a release, a commit, or lines of a file. All text is plain text.
package struct GitHubThing: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable {
    case repository, issue, pull, release, commit, lines
  }

  /// The figures that a thing can have.
  package enum Count: String, Sendable, Codable, CaseIterable {
    case comments, commits, additions, deletions, files, stars, forks, issues, assets
  }

  /// The other facts that a thing can have: a word or a URL.
  package enum Note: String, Sendable, Codable, CaseIterable {
    case language, license, homepage, branch, base, head
  }

  /// A label on an issue.
  package struct Label: Hashable, Sendable, Codable {
    package var name: String
    /// The colour as six hexadecimal digits.
    package var colour: String?

    package init(name: String, colour: String?) {
      self.name = name
      self.colour = colour
    }
  }

  package var kind: Kind
  /// The repository's full name in GitHub's current spelling.
  package var repository: String
  /// An issue's or pull request's number.
  package var number: Int?
  /// A release's tag, or a commit's hash; of lines, their commit's.
  package var ref: String?
  /// The title; for a commit, the first line of its message; for lines, the file's path.
  package var title = ""
  /// The description or message; for lines, the lines themselves.
  package var text = ""
  /// The number of the first of these lines.
  package var firstLine: Int?
  /// `open`, `closed`, `not_planned`, `merged`, `draft`, `prerelease`, `archived`.
  package var state: String?
  /// The author's account.
  package var author: GitHubProfile.Face?
  /// The author's name, if there is no account.
  package var authorName: String?
  package var labels: [Label] = []
  package var topics: [String] = []
  package var counts: [Count: Int] = [:]
  package var notes: [Note: String] = [:]
  /// When it was created or published.
  package var createdAt: Timestamp?
  /// When it last changed.
  package var updatedAt: Timestamp?
  /// When it was closed or merged.
  package var closedAt: Timestamp?
  /// Its URL on GitHub.
  package var url = ""

  /// A thing without any details.
  package init(kind: Kind, repository: String) {
    self.kind = kind
    self.repository = repository
  }

  /// Its current address; nil if its repository's name is not valid in a URL, and for lines of a file.
  package var address: GitHubAddress? {
    guard let name = RepositoryName(repository) else { return nil }
    switch kind {
    case .repository: return .repository(name)
    case .issue: return number.map { .issue(name, number: $0) }
    case .pull: return number.map { .pull(name, number: $0) }
    case .release: return ref.map { .release(name, tag: $0) }
    case .commit: return ref.map { .commit(name, sha: $0) }
    case .lines: return nil
    }
  }
}

/// A comment on an issue, a pull request or a commit.
package struct GitHubComment: Hashable, Sendable, Codable {
  /// Its author; nil if the account was deleted.
  package var author: GitHubProfile.Face?
  /// Untrusted Markdown.
  package var text: String
  package var createdAt: Timestamp?
  /// Its URL on GitHub.
  package var url: String

  package init(author: GitHubProfile.Face?, text: String, createdAt: Timestamp?, url: String) {
    self.author = author
    self.text = text
    self.createdAt = createdAt
    self.url = url
  }
}

/// A person's, bot's or organisation's page on GitHub.
package struct GitHubProfile: Hashable, Sendable, Codable {
  /// The part of an account that is needed to show it.
  package struct Face: Hashable, Sendable, Codable {
    /// GitHub's numeric id.
    package var id: Int64
    /// The login in GitHub's spelling.
    package var login: String
    /// `User`, `Organization`, `Bot`.
    package var type: String
    /// The avatar's URL.
    package var avatarURL: String

    package init(id: Int64, login: String, type: String, avatarURL: String) {
      self.id = id
      self.login = login
      self.type = type
      self.avatarURL = avatarURL
    }

    /// The same as a `GitHubAccount`.
    package var account: GitHubAccount { GitHubAccount(id: id, login: login, type: type, avatarURL: avatarURL) }
  }

  /// The account.
  package var face: Face
  /// The display name, if there is one.
  package var name: String?
  /// The person's bio.
  package var bio: String?
  package var company: String?
  package var location: String?
  /// The person's own page: a URL that starts with `http://` or `https://`.
  package var blog: String?
  /// The number of followers.
  package var followers: Int?
  /// The number of accounts followed.
  package var following: Int?
  /// The number of public repositories.
  package var publicRepositories: Int?
  /// When the account was created.
  package var createdAt: Timestamp?
  /// Its URL on GitHub.
  package var url = ""

  /// A profile without any details.
  package init(face: Face) {
    self.face = face
  }
}

/// A value from GitHub together with its age.
package struct GitHubAnswer<Value: Sendable>: Sendable {
  package var value: Value
  /// When GitHub last confirmed it.
  package var fetchedAt: Timestamp
  /// Why the stored value is served although GitHub was asked.
  package var failure: DirectoryFailure?

  package init(value: Value, fetchedAt: Timestamp, failure: DirectoryFailure? = nil) {
    self.value = value
    self.fetchedAt = fetchedAt
    self.failure = failure
  }
}
