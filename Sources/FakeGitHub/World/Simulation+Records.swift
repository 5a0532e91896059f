import FoundationEssentials

extension Simulation {
  /// Recorded JSON with the stand-in's own URLs and the accounts' own pictures.
  func rebased(_ value: JSONValue, texts: [(String, String)] = [], isAccount: Bool = false) -> JSONValue {
    var rewriting = Rewriting()
    rewriting.texts = texts + addresses
    // A nested account has the short form; a top-level account stays as it is.
    if isAccount { return rewriting(value) }
    rewriting.account = { account in
      self.population.person(id: account.id).map { .object($0.simpleRecord(base: self.base, origin: self.origin)) }
    }
    return rewriting(value)
  }

  /// GitHub's URLs and their replacements.
  var addresses: [(String, String)] {
    let pictures = ["", "0", "1", "2", "3"].map { ("https://avatars\($0).githubusercontent.com/u/", origin + "/u/") }
    return [("https://api.github.com", base)] + pictures
  }

  /// The account's record in lists.
  func record(_ person: Person) -> JSONValue { .object(person.simpleRecord(base: base, origin: origin)) }

  /// An account chosen by `seed`, always the same.
  func somebody(_ seed: UInt64) -> Person? {
    let users = population.users
    return users.isEmpty ? nil : users[Int(SeededHash.mix(seed) % UInt64(users.count))]
  }

  /// A repository's record: as recorded, or modelled on that of Hello-World.
  func record(_ repository: Repository) -> JSONValue {
    if let recorded = repository.recorded { return rebased(recorded) }
    let hash = SeededHash.mix(UInt64(bitPattern: repository.id))
    let stars = Int64(hash % 4000)
    let forks = stars / 7
    let text = rebased(
      Self.template("repo-octocat-hello-world-2022"), texts: [("octocat/Hello-World", repository.fullName)])
    let organization = repository.owner.type == "Organization" ? ["organization": record(repository.owner)] : [:]
    return text.setting(organization).setting([
      "id": .integer(repository.id), "name": .string(repository.name), "full_name": .string(repository.fullName),
      "owner": record(repository.owner), "description": .string(repository.about),
      "language": .string(repository.language), "stargazers_count": .integer(stars), "watchers_count": .integer(stars),
      "watchers": .integer(stars), "forks": .integer(forks), "forks_count": .integer(forks),
      "network_count": .integer(forks), "open_issues": .integer(Work.count / 2),
      "open_issues_count": .integer(Work.count / 2), "default_branch": .string(repository.branch),
      "html_url": .string("https://github.com/" + repository.fullName),
    ])
  }

  /// The record returned by `/issues/{n}`, also for a pull request.
  func issueRecord(_ work: Work) -> JSONValue {
    let repository = work.repository
    var text = rebased(
      Self.template(work.isPull ? "issue-that-is-a-pull-request" : "issue-closed-not-planned-2024"),
      texts: Self.names("sigmavirus24/github3.py", 301, "hub4j-test-org/GHIssueTest", 18, work))
    var members = shared(work)
    members["id"] = .integer(work.id)
    members["state_reason"] = JSONValue(work.reason)
    members["closed_by"] = work.isClosed ? somebody(work.authorSeed &+ 1).map(record) ?? .null : .null
    members["repository_url"] = .string(base + "/repos/" + repository.fullName)
    if work.isPull {
      let merged = work.isMerged ? Self.isoTime(work.madeAt + 86_400) : nil
      members["pull_request"] = text["pull_request"]?.setting(["merged_at": JSONValue(merged)]) ?? .null
      members["draft"] = .bool(work.isDraft)
    }
    text = text.setting(members)
    return text
  }

  /// The record returned by `/pulls/{n}`.
  func pullRecord(_ work: Work) -> JSONValue {
    var members = shared(work)
    members["id"] = .integer(work.id - 1_000_000_000)
    members["draft"] = .bool(work.isDraft)
    members["merged"] = .bool(work.isMerged)
    members["merged_at"] = JSONValue(work.isMerged ? Self.isoTime(work.madeAt + 86_400) : nil)
    members["merged_by"] = work.isMerged ? record(work.repository.owner) : .null
    members["mergeable"] = work.isClosed ? .null : .bool(true)
    members["commits"] = .integer(1 + work.id % 5)
    members["additions"] = .integer(work.id % 400)
    members["deletions"] = .integer(work.id % 150)
    members["changed_files"] = .integer(1 + work.id % 12)
    return rebased(
      Self.template("pull-seate-9-2025"), texts: Self.names("seate/for-test", 9, "", 0, work)
    ).setting(members)
  }

  /// The members that issues and pull requests share.
  private func shared(_ work: Work) -> [String: JSONValue] {
    let closed = work.isClosed ? Self.isoTime(work.madeAt + 86_400) : nil
    let kind = work.isPull ? "pull" : "issues"
    return [
      "number": .integer(work.number), "title": .string(work.title), "body": JSONValue(work.body),
      "state": .string(work.isClosed ? "closed" : "open"), "user": somebody(work.authorSeed).map(record) ?? .null,
      "comments": .integer(work.comments), "created_at": .string(Self.isoTime(work.madeAt)),
      "updated_at": .string(closed ?? Self.isoTime(work.madeAt + 3600)), "closed_at": JSONValue(closed),
      "labels": .array([]), "assignee": .null, "assignees": .array([]), "milestone": .null,
      "html_url": .string("https://github.com/\(work.repository.fullName)/\(kind)/\(work.number)"),
    ]
  }

  private static func names(_ first: String, _ one: Int, _ second: String, _ other: Int, _ work: Work) -> [(
    String, String
  )] {
    var texts = [(first, work.repository.fullName)]
    if !second.isEmpty { texts.append((second, work.repository.fullName)) }
    for (number, kind) in [(one, "issues"), (one, "pull"), (one, "pulls"), (other, "issues")] where number > 0 {
      texts.append(("/\(kind)/\(number)", "/\(kind)/\(work.number)"))
    }
    return texts
  }

  /// A recorded body that serves as a template; null if it is missing.
  static func template(_ name: String) -> JSONValue {
    templates.value(name) { Recording.named(name).flatMap { JSONValue($0.body) } ?? .null }
  }

  private static let templates = Kept<JSONValue>()

  /// A time in GitHub's format.
  static func isoTime(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }
}
