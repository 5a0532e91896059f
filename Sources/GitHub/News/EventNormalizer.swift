import Base
import Chat

/// Converts GitHub's events to news items; a pure function of the record. Payloads vary by type, lost most of their
/// members in October 2025, and contain user input. Thus everything in them is optional, texts are cut and cleaned, and
/// links are built here from validated names and numbers, never taken from a payload.
struct EventNormalizer {
  /// The base URL of GitHub's website, without a trailing slash.
  let webBase: String

  /// The news item for an event; nil if the event is not public, or has no id, actor or time.
  func item(_ event: EventRecord) -> NewsItem? {
    // An event visible only to a token is never shown (docs/decisions/0009).
    guard event.isPublic, let actor = event.actor, let createdAt = event.createdAt, Self.isID(event.id),
      let login = PlainText.line(actor.login, limit: PlainText.limits.word), !login.contains(" ")
    else { return nil }
    let repository = event.repository.flatMap { RepositoryName($0.name) }
    var reading = Reading(payload: event.payload, repository: repository)
    reading.read(event.type)
    let account = GitHubAccount(
      id: actor.id, login: login, type: login.hasSuffix("[bot]") ? "Bot" : "User", avatarURL: actor.avatarURL)
    return NewsItem(
      id: event.id, type: Self.word(event.type) ?? "Event", action: reading.action, actor: account,
      repository: repository, organization: event.organization.flatMap { Self.word($0.login) },
      subject: reading.subject, url: webBase + (reading.gitHubPath ?? GitHubAddress.person(login: login).gitHubPath),
      createdAt: createdAt)
  }

  /// Ids consist of digits so far. They are compared verbatim, so that two different ids stay different.
  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// A word of GitHub's vocabulary, or nil.
  static func word(_ text: String?) -> String? {
    guard let text, (1...100).contains(text.utf8.count) else { return nil }
    let isWord = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "["),
        UInt8(ascii: "]"):
        true
      default: false
      }
    }
    return isWord ? text : nil
  }
}

/// The state of reading one payload.
private struct Reading {
  let payload: PayloadValue
  let repository: RepositoryName?
  var action: String?
  var subject = NewsSubject(kind: .other)
  /// The path of the item's link, relative to GitHub's website.
  var gitHubPath: String?

  init(payload: PayloadValue, repository: RepositoryName?) {
    self.payload = payload
    self.repository = repository
    action = EventNormalizer.word(payload["action"]?.text)
    lead(to: repository.map { .repository($0) })
  }

  mutating func read(_ type: String) {
    switch type {
    case "CommitCommentEvent": readCommitComment()
    case "CreateEvent", "DeleteEvent": readReference()
    case "DiscussionEvent", "DiscussionCommentEvent": readDiscussion()
    case "ForkEvent": readFork()
    case "GollumEvent": readPages()
    case "IssuesEvent", "IssueCommentEvent": readIssue()
    case "MemberEvent": readPerson(payload["member"])
    case "PublicEvent", "WatchEvent": subject.kind = repository == nil ? .other : .repository
    case "PullRequestEvent", "PullRequestReviewEvent", "PullRequestReviewCommentEvent", "PullRequestReviewThreadEvent":
      readPull()
    case "PushEvent": readPush()
    case "ReleaseEvent": readRelease()
    case "SponsorshipEvent":
      readPerson(payload["sponsorship"]?["sponsorable"] ?? payload["sponsorship"]?["maintainer"])
    default: break
    }
  }

  private mutating func lead(to address: GitHubAddress?) {
    guard let address else { return }
    subject.path = address.path
    gitHubPath = address.gitHubPath
  }

  private mutating func readCommitComment() {
    subject.kind = .commit
    subject.text = PlainText.paragraphs(payload["comment"]?["body"]?.text)
    guard let sha = Self.sha(payload["comment"]?["commit_id"]?.text) else { return }
    subject.ref = sha
    lead(to: repository.map { .commit($0, sha: sha) })
  }

  /// A branch or tag that was created or deleted, or a new repository.
  private mutating func readReference() {
    switch payload["ref_type"]?.text {
    case "repository":
      subject.kind = repository == nil ? .other : .repository
      subject.text = PlainText.paragraphs(payload["description"]?.text)
    case "tag": readReference(.tag, payload["ref"]?.text)
    case "branch": readReference(.branch, payload["ref"]?.text)
    default: break
    }
  }

  private mutating func readReference(_ kind: NewsSubject.Kind, _ name: String?) {
    subject.kind = kind
    guard let name, let shown = PlainText.line(name, limit: PlainText.limits.word) else { return }
    subject.ref = shown
    // No link for a ref name that had to be cut or cleaned.
    if shown == name, let repository { gitHubPath = "/\(repository.text)/tree/" + GitHubAddress.encoded(path: name) }
  }

  private mutating func readDiscussion() {
    let discussion = payload["discussion"]
    subject.title = PlainText.line(discussion?["title"]?.text)
    subject.text = PlainText.paragraphs((payload["comment"] ?? discussion)?["body"]?.text)
    guard let number = Self.number(discussion?["number"]) else { return }
    subject.number = number
    if let repository { gitHubPath = "/\(repository.text)/discussions/\(number)" }
  }

  private mutating func readFork() {
    subject.kind = .repository
    let fork = payload["forkee"]
    subject.text = PlainText.paragraphs(fork?["description"]?.text)
    guard let name = fork?["full_name"]?.text.flatMap({ RepositoryName($0) }) else { return }
    subject.title = name.text
    lead(to: .repository(name))
  }

  private mutating func readPages() {
    subject.kind = .page
    let pages = payload["pages"]?.list ?? []
    subject.count = pages.count
    guard let page = pages.first else { return }
    action = EventNormalizer.word(page["action"]?.text)
    subject.title = PlainText.line(page["title"]?.text ?? page["page_name"]?.text)
    subject.text = PlainText.paragraphs(page["summary"]?.text)
    if let repository, let name = page["page_name"]?.text, name.utf8.count <= 255 {
      gitHubPath = "/\(repository.text)/wiki/" + PercentEncoding.encode(name)
    }
  }

  /// An issue, or a pull request in issue form, and a comment on it.
  private mutating func readIssue() {
    let issue = payload["issue"]
    let isPull = issue?["pull_request"] != nil
    subject.kind = isPull ? .pull : .issue
    subject.title = PlainText.line(issue?["title"]?.text)
    subject.state = EventNormalizer.word(issue?["state"]?.text)
    if subject.state == "closed", issue?["state_reason"]?.text == "not_planned" { subject.state = "not_planned" }
    if isPull, issue?["pull_request"]?["merged_at"] != nil { subject.state = "merged" }
    subject.text = PlainText.paragraphs((payload["comment"] ?? issue)?["body"]?.text)
    guard let number = Self.number(issue?["number"]) else { return }
    subject.number = number
    lead(to: repository.map { isPull ? .pull($0, number: number) : .issue($0, number: number) })
  }

  /// A pull request, a review of it, or a comment on one of its lines.
  private mutating func readPull() {
    let pull = payload["pull_request"]
    subject.kind = .pull
    subject.title = PlainText.line(pull?["title"]?.text)
    let isMerged = pull?["merged"]?.flag ?? (pull?["merged_at"] != nil)
    subject.state =
      isMerged ? "merged" : pull?["draft"]?.flag == true ? "draft" : EventNormalizer.word(pull?["state"]?.text)
    if action == "closed", isMerged { action = "merged" }
    if let review = payload["review"] { subject.state = EventNormalizer.word(review["state"]?.text?.lowercased()) }
    subject.text = PlainText.paragraphs((payload["review"] ?? payload["comment"] ?? pull)?["body"]?.text)
    guard let number = Self.number(payload["number"]) ?? Self.number(pull?["number"]) else { return }
    subject.number = number
    lead(to: repository.map { .pull($0, number: number) })
  }

  private mutating func readPush() {
    let commits = payload["commits"]?.list ?? []
    let ref = payload["ref"]?.text ?? ""
    if ref.hasPrefix("refs/tags/") {
      readReference(.tag, String(ref.dropFirst("refs/tags/".count)))
    } else {
      readReference(.branch, ref.hasPrefix("refs/heads/") ? String(ref.dropFirst("refs/heads/".count)) : ref)
    }
    // No count if GitHub lists no commits: the actual number is unknown.
    subject.count = Self.number(payload["size"]) ?? (commits.isEmpty ? nil : commits.count)
    let messages = commits.suffix(3).reversed().compactMap { commit in
      PlainText.line(commit["message"]?.text?.split(whereSeparator: \.isNewline).first.map(String.init))
    }
    subject.text = PlainText.paragraphs(messages.joined(separator: "\n"))
    if let head = Self.sha(payload["head"]?.text), head.contains(where: { $0 != "0" }) {
      lead(to: repository.map { .commit($0, sha: head) })
    }
  }

  private mutating func readRelease() {
    let release = payload["release"]
    subject.kind = .release
    subject.title = PlainText.line(release?["name"]?.text ?? release?["tag_name"]?.text)
    subject.text = PlainText.paragraphs(release?["body"]?.text)
    if release?["prerelease"]?.flag == true { subject.state = "prerelease" }
    guard let tag = release?["tag_name"]?.text, let shown = PlainText.line(tag, limit: 255) else { return }
    subject.ref = shown
    if shown == tag { lead(to: repository.map { .release($0, tag: tag) }) }
  }

  private mutating func readPerson(_ person: PayloadValue?) {
    guard let login = EventNormalizer.word(person?["login"]?.text) else { return }
    subject.kind = .person
    subject.title = login
    lead(to: .person(login: login))
  }

  /// A number that counts something or identifies an issue.
  private static func number(_ value: PayloadValue?) -> Int? {
    value?.integer.flatMap { (0...999_999_999).contains($0) ? Int($0) : nil }
  }

  private static func sha(_ text: String?) -> String? {
    guard let text = text?.lowercased(), (7...64).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return text
  }
}
