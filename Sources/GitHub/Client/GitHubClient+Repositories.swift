import Base
import Chat

/// The objects that news items link to. A client with an operator's token sees whatever that token may see: before
/// showing an issue, pull request, release or commit, a caller has to fetch the repository and check that it is public.
extension GitHubClient {
  /// A repository, also by a former name. Throws `GitHubError` or `CancellationError`, as do all of these.
  func repository(owner: String, name: String, etag: String? = nil) async throws -> Answer<RepositoryRecord> {
    try await get(Self.path(["repos", owner, name]), etag: etag, as: RepositoryRecord.self)
  }

  /// An issue; a pull request is returned as an issue.
  func issue(owner: String, name: String, number: Int64, etag: String? = nil) async throws -> Answer<IssueRecord> {
    try await get(Self.path(["repos", owner, name, "issues", String(number)]), etag: etag, as: IssueRecord.self)
  }

  /// The open and closed issues and pull requests that changed last, newest first, at most `count` (100 is GitHub's
  /// maximum). Unreadable ones are skipped. `next` is set if there are more.
  func issues(
    owner: String, name: String, count: Int = 100, etag: String? = nil
  ) async throws -> Answer<LenientList<IssueRecord>> {
    let query = "?state=all&sort=updated&direction=desc&per_page=\(count)"
    return try await get(
      Self.path(["repos", owner, name, "issues"]) + query, etag: etag, as: LenientList<IssueRecord>.self)
  }

  /// A pull request; throws `.notFound` for a plain issue.
  func pull(owner: String, name: String, number: Int64, etag: String? = nil) async throws -> Answer<PullRecord> {
    try await get(Self.path(["repos", owner, name, "pulls", String(number)]), etag: etag, as: PullRecord.self)
  }

  /// The release with this tag.
  func release(owner: String, name: String, tag: String, etag: String? = nil) async throws -> Answer<ReleaseRecord> {
    try await get(Self.path(["repos", owner, name, "releases", "tags", tag]), etag: etag, as: ReleaseRecord.self)
  }

  /// A commit by its hash, or the latest one of a branch or tag. GitHub answers 422 for an unknown hash.
  func commit(owner: String, name: String, ref: String, etag: String? = nil) async throws -> Answer<CommitRecord> {
    do {
      return try await get(Self.path(["repos", owner, name, "commits", ref]), etag: etag, as: CommitRecord.self)
    } catch var error as GitHubError where error.kind == .invalid {
      error.kind = .notFound
      throw error
    }
  }

  /// A file as of a commit. GitHub sends the contents of files up to 1 MiB.
  func file(
    owner: String, name: String, path: String, commit: String, etag: String? = nil
  ) async throws -> Answer<FileRecord> {
    let address = try Self.path(["repos", owner, name, "contents"] + path.split(separator: "/").map(String.init))
    return try await get(address + "?ref=" + PercentEncoding.encode(commit), etag: etag, as: FileRecord.self)
  }

  /// The first thirty comments on an issue or a pull request, oldest first.
  func comments(
    owner: String, name: String, issue number: Int64, etag: String? = nil
  ) async throws -> Answer<LenientList<CommentRecord>> {
    try await comments(on: ["repos", owner, name, "issues", String(number)], etag: etag)
  }

  /// The first thirty comments on a commit, oldest first.
  func comments(
    owner: String, name: String, commit: String, etag: String? = nil
  ) async throws -> Answer<LenientList<CommentRecord>> {
    try await comments(on: ["repos", owner, name, "commits", commit], etag: etag)
  }

  private func comments(on thing: [String], etag: String?) async throws -> Answer<LenientList<CommentRecord>> {
    try await get(
      Self.path(thing + ["comments"]) + "?per_page=\(GitHubThingReader.commentCount)", etag: etag,
      as: LenientList<CommentRecord>.self)
  }

  /// The full profile of a person, an organisation or a bot.
  func user(login: String, etag: String? = nil) async throws -> Answer<ProfileRecord> {
    try await get(Self.path(["users", login]), etag: etag, as: ProfileRecord.self)
  }

  /// The same by GitHub's id, the only lookup that survives a rename.
  func user(id: Int64, etag: String? = nil) async throws -> Answer<ProfileRecord> {
    try await get(Self.path(["user", String(id)]), etag: etag, as: ProfileRecord.self)
  }

  /// The full profile of an organisation; throws `.notFound` for a person.
  func organization(login: String, etag: String? = nil) async throws -> Answer<ProfileRecord> {
    try await get(Self.path(["orgs", login]), etag: etag, as: ProfileRecord.self)
  }

  /// The path of these segments, each percent-encoded. Throws `.notFound` if one is empty.
  private static func path(_ segments: [String]) throws(GitHubError) -> String {
    guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw GitHubError(kind: .notFound, message: "a name in the path is empty")
    }
    return segments.map { "/" + PercentEncoding.encode($0) }.joined()
  }
}
