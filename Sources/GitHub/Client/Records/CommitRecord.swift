import Chat

/// A commit.
struct CommitRecord: Decodable, Hashable, Sendable {
  /// The full hash.
  let sha: String
  /// The message, with the title in its first line; untrusted.
  let message: String
  /// The author's account; nil if no account has git's email address.
  let author: GitHubAccount?
  /// The author's name as recorded by git.
  let authorName: String?
  let authoredAt: Timestamp?
  let additions: Int
  let deletions: Int
  /// The number of files changed; GitHub lists at most 300.
  let changedFiles: Int
  let comments: Int
  /// The commit's page on GitHub.
  let address: String?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    guard let sha = object.text("sha") else { throw MissingMember() }
    self.sha = sha
    let git = object.value("commit", as: Git.self)
    message = git?.message ?? ""
    author = object.value("author", as: AccountRecord.self)?.account
    authorName = git?.author?.name
    authoredAt = git?.author?.date
    comments = git?.comments ?? 0
    let lines = object.value("stats", as: Lines.self)
    additions = lines?.additions ?? 0
    deletions = lines?.deletions ?? 0
    changedFiles = object.list("files", of: File.self).count
    address = object.text("html_url")
  }

  private struct Git: Decodable {
    let message: String?
    let author: Signature?
    let comments: Int
    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      message = object.text("message")
      author = object.value("author")
      comments = object.count("comment_count")
    }
  }

  private struct Signature: Decodable {
    let name: String?
    let date: Timestamp?
    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      name = object.text("name")
      date = object.time("date")
    }
  }

  private struct Lines: Decodable {
    let additions: Int
    let deletions: Int
    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      additions = object.count("additions")
      deletions = object.count("deletions")
    }
  }

  private struct File: Decodable {}
}
