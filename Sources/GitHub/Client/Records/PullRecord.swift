import Chat

/// A pull request.
struct PullRecord: Decodable, Hashable, Sendable {
  /// The head or base of a pull request.
  struct Side: Decodable, Hashable, Sendable {
    /// The branch's name.
    let ref: String?
    /// `owner:branch`.
    let label: String?
    /// The repository's `owner/name`; nil if it was deleted.
    let repository: String?
    /// Whether that repository is public; false if GitHub does not say.
    let isPublic: Bool

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      ref = object.text("ref")
      label = object.text("label")
      let record = object.value("repo", as: RepositoryRecord.self)
      repository = record?.fullName
      isPublic = record?.isPublic ?? false
    }
  }

  /// The number within its repository.
  let number: Int64
  let title: String
  /// `open` or `closed`; a merged one is closed.
  let state: String
  let isMerged: Bool
  let isDraft: Bool
  /// The author; nil if the account was deleted.
  let author: GitHubAccount?
  /// The description, untrusted Markdown.
  let body: String?
  let labels: [LabelRecord]
  /// The branch to merge.
  let head: Side?
  /// The branch to merge into.
  let base: Side?
  /// The number of comments, including those on lines.
  let comments: Int
  /// The number of commits.
  let commits: Int
  let additions: Int
  let deletions: Int
  let changedFiles: Int
  /// The pull request's page on GitHub.
  let address: String?
  let createdAt: Timestamp?
  let closedAt: Timestamp?
  let mergedAt: Timestamp?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    guard let number = object.integer("number") else { throw MissingMember() }
    self.number = number
    title = object.text("title") ?? ""
    state = object.text("state") ?? "open"
    mergedAt = object.time("merged_at")
    isMerged = object.flag("merged") ?? (mergedAt != nil)
    isDraft = object.flag("draft") ?? false
    author = object.value("user", as: AccountRecord.self)?.account
    body = object.text("body")
    labels = object.list("labels")
    head = object.value("head")
    base = object.value("base")
    comments = object.count("comments") + object.count("review_comments")
    commits = object.count("commits")
    additions = object.count("additions")
    deletions = object.count("deletions")
    changedFiles = object.count("changed_files")
    address = object.text("html_url")
    createdAt = object.time("created_at")
    closedAt = object.time("closed_at")
  }
}
