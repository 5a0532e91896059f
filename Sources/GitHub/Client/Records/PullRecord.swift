import Chat

/// A pull request.
struct PullRecord: Decodable, Hashable, Sendable {
  /// A side of it.
  struct Side: Decodable, Hashable, Sendable {
    /// The branch's name.
    let ref: String?
    /// `owner:branch`.
    let label: String?
    /// Its repository, `owner/name`; nil where that is gone.
    let repository: String?
    /// Whether that repository is one that everybody may see; false where GitHub does not say.
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

  /// The number in its repository.
  let number: Int64
  /// The title.
  let title: String
  /// `open` or `closed`; a merged one is closed.
  let state: String
  /// Whether it was merged.
  let isMerged: Bool
  /// Whether it is not ready.
  let isDraft: Bool
  /// Who opened it; nil for an account that is gone.
  let author: GitHubAccount?
  /// What it says, untrusted Markdown.
  let body: String?
  /// Its labels.
  let labels: [LabelRecord]
  /// What is to be merged.
  let head: Side?
  /// Into what.
  let base: Side?
  /// How many comments there are, those on lines included.
  let comments: Int
  /// How many commits.
  let commits: Int
  /// Lines added.
  let additions: Int
  /// Lines deleted.
  let deletions: Int
  /// Files changed.
  let changedFiles: Int
  /// Where it is shown on GitHub.
  let address: String?
  /// When it was opened.
  let createdAt: Timestamp?
  /// When it was closed.
  let closedAt: Timestamp?
  /// When it was merged.
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
