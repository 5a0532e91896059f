import Chat

/// A repository. Its name and owner are those of the answer: what was asked for may be an old name.
struct RepositoryRecord: Decodable, Hashable, Sendable {
  /// GitHub's id, which survives a new name.
  let id: Int64
  /// `owner/name` in its true spelling.
  let fullName: String
  /// The owner; nil where GitHub does not say.
  let owner: GitHubAccount?
  /// Whether everybody may see it; what does not say so is not public. `internal` ones of an Enterprise are private.
  let isPublic: Bool
  /// Where it is shown on GitHub.
  let address: String?
  /// What it is, in its owner's words.
  let description: String?
  /// The main language.
  let language: String?
  /// The licence's SPDX name; nil without one, or for one that has none.
  let licence: String?
  /// Topics.
  let topics: [String]
  /// The name of the main branch.
  let defaultBranch: String?
  /// How many have starred it.
  let stars: Int
  /// How many forks there are.
  let forks: Int
  /// How many issues and pull requests are open.
  let openIssues: Int
  /// Whether it is a fork.
  let isFork: Bool
  /// The repository it was forked from, `owner/name`.
  let parent: String?
  /// Whether it is kept read-only.
  let isArchived: Bool
  /// When it was made.
  let createdAt: Timestamp?
  /// When it was last pushed to.
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
