import Chat

/// A repository. Name and owner are taken from the response: the name requested may be a former one.
struct RepositoryRecord: Decodable, Hashable, Sendable {
  /// GitHub's numeric id, which survives a rename.
  let id: Int64
  /// `owner/name` in its canonical spelling.
  let fullName: String
  /// The owner; nil if GitHub does not say.
  let owner: GitHubAccount?
  /// Whether it is public; false if GitHub does not say. An Enterprise's `internal` repositories count as private.
  let isPublic: Bool
  /// The repository's page on GitHub.
  let address: String?
  /// The owner's description.
  let description: String?
  /// The main language.
  let language: String?
  /// The licence's SPDX id; nil if there is no licence, or it has no id.
  let licence: String?
  let topics: [String]
  /// The default branch's name.
  let defaultBranch: String?
  /// The number of stars.
  let stars: Int
  /// The number of forks.
  let forks: Int
  /// The number of open issues and pull requests.
  let openIssues: Int
  /// Whether it is a fork.
  let isFork: Bool
  /// The `owner/name` of the repository it was forked from.
  let parent: String?
  /// Whether it is archived, that is, read-only.
  let isArchived: Bool
  let createdAt: Timestamp?
  let pushedAt: Timestamp?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    guard let id = object.integer("id"), let fullName = object.text("full_name") else { throw MissingMember() }
    self.id = id
    self.fullName = fullName
    owner = object.value("owner", as: AccountRecord.self)?.account
    isPublic = object.flag("private") == false && (object.text("visibility") ?? "public") == "public"
    address = object.text("html_url")
    description = object.text("description")
    language = object.text("language")
    licence = object.value("license", as: Licence.self)?.name
    topics = object.list("topics")
    defaultBranch = object.text("default_branch")
    stars = object.count("stargazers_count")
    forks = object.count("forks_count")
    openIssues = object.count("open_issues_count")
    isFork = object.flag("fork") ?? false
    parent = object.value("parent", as: Parent.self)?.name
    isArchived = object.flag("archived") ?? false
    createdAt = object.time("created_at")
    pushedAt = object.time("pushed_at")
  }

  private struct Licence: Decodable {
    let name: String?
    init(from decoder: any Decoder) throws {
      let name = try LenientObject(decoder).text("spdx_id")
      self.name = name == "NOASSERTION" ? nil : name
    }
  }

  private struct Parent: Decodable {
    let name: String?
    init(from decoder: any Decoder) throws { name = try LenientObject(decoder).text("full_name") }
  }
}
