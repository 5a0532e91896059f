import Chat

/// A release.
struct ReleaseRecord: Decodable, Hashable, Sendable {
  /// A file of it.
  struct Asset: Decodable, Hashable, Sendable {
    /// The file's name.
    let name: String
    /// Its size in bytes.
    let size: Int
    /// How often it was fetched.
    let downloads: Int

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      guard let name = object.text("name") else { throw MissingMember() }
      self.name = name
      size = object.count("size")
      downloads = object.count("download_count")
    }
  }

  /// The tag.
  let tag: String
  /// Its name; nil where only the tag names it.
  let name: String?
  /// What it says, untrusted Markdown.
  let body: String?
  /// Whether it is not published yet.
  let isDraft: Bool
  /// Whether it comes before the real one.
  let isPrerelease: Bool
  /// Who published it; nil for an account that is gone.
  let author: GitHubAccount?
  /// Its files.
  let assets: [Asset]
  /// Where it is shown on GitHub.
  let address: String?
  /// When it was published; nil for a draft.
  let publishedAt: Timestamp?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    guard let tag = object.text("tag_name") else { throw MissingMember() }
    self.tag = tag
    name = object.text("name")
    body = object.text("body")
    isDraft = object.flag("draft") ?? false
    isPrerelease = object.flag("prerelease") ?? false
    author = object.value("author", as: AccountRecord.self)?.account
    assets = object.list("assets")
    address = object.text("html_url")
    publishedAt = object.time("published_at")
  }
}
