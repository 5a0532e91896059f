import Chat

/// What news lead to. A client that asks with an operator's token sees what that token may see: whoever shows an issue, a
/// pull request, a release or a commit asks for the repository first, and shows nothing of one that is not public.
extension GitHubClient {
  /// A repository, also by a name it had before. Throws `GitHubError` or `CancellationError`, as do all of these.
  func repository(owner: String, name: String, etag: String? = nil) async throws -> Answer<RepositoryRecord> {
    try await get(Self.path(["repos", owner, name]), etag: etag, as: RepositoryRecord.self)
  }

  /// An issue, or a pull request seen as one.
  func issue(owner: String, name: String, number: Int64, etag: String? = nil) async throws -> Answer<IssueRecord> {
    try await get(Self.path(["repos", owner, name, "issues", String(number)]), etag: etag, as: IssueRecord.self)
  }

  /// A pull request; `.notFound` for an issue.
  func pull(owner: String, name: String, number: Int64, etag: String? = nil) async throws -> Answer<PullRecord> {
    try await get(Self.path(["repos", owner, name, "pulls", String(number)]), etag: etag, as: PullRecord.self)
  }

  /// The release of a tag.
  func release(owner: String, name: String, tag: String, etag: String? = nil) async throws -> Answer<ReleaseRecord> {
    try await get(Self.path(["repos", owner, name, "releases", "tags", tag]), etag: etag, as: ReleaseRecord.self)
  }

  /// A commit by its hash, or the newest of a branch or tag.
  func commit(owner: String, name: String, ref: String, etag: String? = nil) async throws -> Answer<CommitRecord> {
    try await get(Self.path(["repos", owner, name, "commits", ref]), etag: etag, as: CommitRecord.self)
  }

  /// A person, an organisation or a bot in full.
  func user(login: String, etag: String? = nil) async throws -> Answer<ProfileRecord> {
    try await get(Self.path(["users", login]), etag: etag, as: ProfileRecord.self)
  }

  /// The same by GitHub's id: the one question that survives a rename.
  func user(id: Int64, etag: String? = nil) async throws -> Answer<ProfileRecord> {
    try await get(Self.path(["user", String(id)]), etag: etag, as: ProfileRecord.self)
  }

  /// An organisation in full; `.notFound` for a person.
  func organization(login: String, etag: String? = nil) async throws -> Answer<ProfileRecord> {
    try await get(Self.path(["orgs", login]), etag: etag, as: ProfileRecord.self)
  }

  /// The path of these segments, each percent-encoded. Throws `.notFound` for an empty one, which nothing is named.
  private static func path(_ segments: [String]) throws(GitHubError) -> String {
    guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw GitHubError(kind: .notFound, message: "nothing has such a name")
    }
    return segments.map { "/" + PercentEncoding.pathSegment($0) }.joined()
  }
}
