import Chat
import Outbound

/// Converts GitHub's records to values for display.
extension GitHubThing {
  init(_ record: RepositoryRecord) {
    self.init(kind: .repository, repository: record.fullName)
    title = PlainText.line(record.fullName) ?? ""
    text = PlainText.paragraphs(record.description, limit: PlainText.limits.body) ?? ""
    author = record.owner.map { GitHubProfile.Face($0) }
    topics = record.topics.prefix(20).compactMap { PlainText.line($0, limit: PlainText.limits.word) }
    state = record.isArchived ? "archived" : nil
    counts = [.stars: record.stars, .forks: record.forks, .issues: record.openIssues]
    notes[.language] = PlainText.line(record.language, limit: PlainText.limits.word)
    notes[.license] = PlainText.line(record.licence, limit: PlainText.limits.word)
    notes[.branch] = PlainText.line(record.defaultBranch, limit: PlainText.limits.word)
    createdAt = record.createdAt
    updatedAt = record.pushedAt
  }

  init(_ record: IssueRecord, in repository: RepositoryName) {
    self.init(kind: record.isPull ? .pull : .issue, repository: repository.at(record.address).text)
    setDiscussion(
      number: record.number, title: record.title, body: record.body, labels: record.labels, author: record.author)
    state = Self.state(record.state, isMerged: record.mergedAt != nil, isDraft: record.isDraft)
    if state == "closed", record.stateReason == "not_planned" { state = "not_planned" }
    counts = [.comments: record.comments]
    (createdAt, updatedAt, closedAt) = (record.createdAt, record.updatedAt, record.closedAt)
  }

  init(_ record: PullRecord, in repository: RepositoryName) {
    self.init(kind: .pull, repository: repository.at(record.address).text)
    setDiscussion(
      number: record.number, title: record.title, body: record.body, labels: record.labels, author: record.author)
    state = Self.state(record.state, isMerged: record.isMerged, isDraft: record.isDraft)
    counts = [
      .comments: record.comments, .commits: record.commits, .additions: record.additions, .deletions: record.deletions,
      .files: record.changedFiles,
    ]
    notes[.base] = PlainText.line(record.base?.ref, limit: PlainText.limits.word)
    // A head in a private repository is not named.
    if record.head?.isPublic == true {
      notes[.head] = PlainText.line(record.head?.label ?? record.head?.ref, limit: PlainText.limits.word)
    }
    (createdAt, closedAt) = (record.createdAt, record.mergedAt ?? record.closedAt)
  }

  init(_ record: ReleaseRecord, in repository: RepositoryName) {
    self.init(kind: .release, repository: repository.at(record.address).text)
    ref = record.tag
    title = PlainText.line(record.name) ?? PlainText.line(record.tag) ?? ""
    text = PlainText.paragraphs(record.body, limit: PlainText.limits.body) ?? ""
    state = record.isPrerelease ? "prerelease" : nil
    author = record.author.map { GitHubProfile.Face($0) }
    counts = [.assets: record.assets.count]
    createdAt = record.publishedAt
  }

  init(_ record: CommitRecord, in repository: RepositoryName) {
    self.init(kind: .commit, repository: repository.at(record.address).text)
    ref = record.sha
    let lines = record.message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    title = PlainText.line(lines.first) ?? ""
    text = PlainText.paragraphs(lines.dropFirst().first, limit: PlainText.limits.body) ?? ""
    author = record.author.map { GitHubProfile.Face($0) }
    authorName = author == nil ? PlainText.line(record.authorName, limit: PlainText.limits.word) : nil
    counts = [
      .comments: record.comments, .additions: record.additions, .deletions: record.deletions,
      .files: record.changedFiles,
    ]
    createdAt = record.authoredAt
  }

  /// Lines of a file; nil if it is no text, or too short to have them.
  init?(_ record: FileRecord, _ lines: FileLines, in repository: RepositoryName) {
    guard let text = record.text else { return nil }
    var all = text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    if all.last == "" { all.removeLast() }
    let shown = all.dropFirst(lines.range.lowerBound - 1).prefix(lines.range.count)
    guard !shown.isEmpty else { return nil }
    self.init(kind: .lines, repository: repository.at(record.address).text)
    ref = lines.commit
    title = PlainText.line(lines.path) ?? ""
    self.text = PlainText.code(shown)
    firstLine = lines.range.lowerBound
  }

  private mutating func setDiscussion(
    number: Int64, title: String, body: String?, labels: [LabelRecord], author: GitHubAccount?
  ) {
    self.number = Int(number)
    self.title = PlainText.line(title) ?? ""
    text = PlainText.paragraphs(body, limit: PlainText.limits.body) ?? ""
    self.author = author.map { GitHubProfile.Face($0) }
    self.labels = labels.prefix(20).compactMap { record in
      PlainText.line(record.name, limit: 60).map { Label(name: $0, colour: Self.colour(record.colour)) }
    }
  }

  private static func state(_ state: String, isMerged: Bool, isDraft: Bool) -> String? {
    if isMerged { return "merged" }
    if isDraft, state == "open" { return "draft" }
    return EventNormalizer.word(state)
  }

  private static func colour(_ text: String?) -> String? {
    guard let text, text.utf8.count == 6, UInt32(text, radix: 16) != nil, text.first != "+" else { return nil }
    return text.lowercased()
  }
}

extension GitHubComment {
  init(_ record: CommentRecord) {
    self.init(
      author: record.author.map { GitHubProfile.Face($0) },
      text: PlainText.paragraphs(record.body, limit: PlainText.limits.comment) ?? "", createdAt: record.createdAt,
      url: record.address ?? "")
  }
}

extension GitHubProfile {
  init(_ record: ProfileRecord) {
    self.init(face: Face(record.account))
    name = PlainText.line(record.account.name, limit: PlainText.limits.word)
    bio = PlainText.paragraphs(record.bio, limit: 1000)
    company = PlainText.line(record.company, limit: PlainText.limits.word)
    location = PlainText.line(record.location, limit: PlainText.limits.word)
    blog = Self.address(record.blog)
    followers = record.followers
    following = record.following
    publicRepositories = record.publicRepositories
    createdAt = record.createdAt
  }

  /// The web page in a profile, which often lacks a scheme; nil if it is not a web address.
  private static func address(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    let isWhole = text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://")
    guard let address = WebAddress(isWhole ? text : "https://" + text), address.host.contains(".") else { return nil }
    return address.text
  }
}

extension GitHubProfile.Face {
  init(_ account: GitHubAccount) {
    self.init(id: account.id, login: account.login, type: account.type, avatarURL: account.avatarURL)
  }
}

extension RepositoryName {
  /// The repository in a page's GitHub URL. After a rename or transfer it differs from the one requested.
  fileprivate func at(_ address: String?) -> RepositoryName {
    guard let segments = address.flatMap({ WebAddress($0) })?.path.split(separator: "/"), segments.count >= 2 else {
      return self
    }
    return RepositoryName(owner: segments[0], name: segments[1]) ?? self
  }
}
