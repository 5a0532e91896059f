import Chat

/// A release.
struct ReleaseRecord: Decodable, Hashable, Sendable {
  /// A downloadable file of a release.
  struct Asset: Decodable, Hashable, Sendable {
    let name: String
    /// The size in bytes.
    let size: Int
    /// The number of downloads.
    let downloads: Int

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(decoder)
      guard let name = object.text("name") else { throw MissingMember() }
      self.name = name
      size = object.count("size")
      downloads = object.count("download_count")
    }
  }

  let tag: String
  /// The release's name; nil if it has only a tag.
  let name: String?
  /// The release notes, untrusted Markdown.
  let body: String?
  let isDraft: Bool
  let isPrerelease: Bool
  /// The publisher; nil if the account was deleted.
  let author: GitHubAccount?
  let assets: [Asset]
  /// The release's page on GitHub.
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
