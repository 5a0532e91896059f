import Chat

/// A label of an issue: an object today, a plain string in old responses.
struct LabelRecord: Decodable, Hashable, Sendable {
  let name: String
  /// The colour as six hexadecimal digits; nil if GitHub does not say.
  let colour: String?

  init(from decoder: any Decoder) throws {
    if let plain = try? decoder.singleValueContainer().decode(String.self) {
      name = plain
      colour = nil
      return
    }
    let object = try LenientObject(decoder)
    guard let name = object.text("name") else { throw MissingMember() }
    self.name = name
    colour = object.text("color")
  }
}

/// An issue. GitHub returns a pull request here too, with the issue's id.
struct IssueRecord: Decodable, Hashable, Sendable {
  /// The number within its repository.
  let number: Int64
  let title: String
  /// `open` or `closed`.
  let state: String
  /// Why it was closed: `completed`, `not_planned`, `reopened`, `duplicate`, or an unknown value.
  let stateReason: String?
  /// The author; nil if the account was deleted.
  let author: GitHubAccount?
  /// The description, untrusted Markdown.
  let body: String?
  let labels: [LabelRecord]
  /// The number of comments.
  let comments: Int
  /// The issue's page on GitHub.
  let address: String?
  let createdAt: Timestamp?
  let updatedAt: Timestamp?
  let closedAt: Timestamp?
  /// Whether it is a pull request.
  let isPull: Bool
  /// Whether it is a draft pull request.
  let isDraft: Bool
  /// When it was merged, if it is a pull request; missing in responses before 2022.
  let mergedAt: Timestamp?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    guard let number = object.integer("number") else { throw MissingMember() }
    self.number = number
    title = object.text("title") ?? ""
    state = object.text("state") ?? "open"
    stateReason = object.text("state_reason")
    author = object.value("user", as: AccountRecord.self)?.account
    body = object.text("body")
    labels = object.list("labels")
    comments = object.count("comments")
    address = object.text("html_url")
    createdAt = object.time("created_at")
    updatedAt = object.time("updated_at")
    closedAt = object.time("closed_at")
    let pull = object.value("pull_request", as: Pull.self)
    isPull = pull != nil
    isDraft = object.flag("draft") ?? false
    mergedAt = pull?.mergedAt
  }

  private struct Pull: Decodable {
    let mergedAt: Timestamp?
    init(from decoder: any Decoder) throws { mergedAt = try LenientObject(decoder).time("merged_at") }
  }
}
