import Chat

/// A label of an issue: an object today, a plain text in old answers.
struct LabelRecord: Decodable, Hashable, Sendable {
  /// Its name.
  let name: String
  /// Its colour as six hexadecimal digits; nil where GitHub does not say.
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

/// An issue. A pull request answers here too, with the issue's id.
struct IssueRecord: Decodable, Hashable, Sendable {
  /// The number in its repository.
  let number: Int64
  /// The title.
  let title: String
  /// `open` or `closed`.
  let state: String
  /// Why it was closed: `completed`, `not_planned`, `reopened`, `duplicate`, or one that nobody knows yet.
  let stateReason: String?
  /// Who opened it; nil for an account that is gone.
  let author: GitHubAccount?
  /// What it says, untrusted Markdown.
  let body: String?
  /// Its labels.
  let labels: [LabelRecord]
  /// How many comments there are.
  let comments: Int
  /// Where it is shown on GitHub.
  let address: String?
  /// When it was opened.
  let createdAt: Timestamp?
  /// When it was closed.
  let closedAt: Timestamp?
  /// Whether it is a pull request.
  let isPull: Bool
  /// Whether it is a pull request that is not ready.
  let isDraft: Bool
  /// When it was merged, as a pull request; answers before 2022 do not say.
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
