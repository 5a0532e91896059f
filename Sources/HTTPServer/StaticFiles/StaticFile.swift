import EventLoop
import HTTP

/// One file as it was when it was last read.
final class StaticFile: Sendable {
  /// The statuses of the files it is made of: when one differs, it is read again.
  let sources: [FileStatus]
  /// The hash of the content.
  let hash: String
  /// The content, nil where it is too large to keep: then it is sent from `path`.
  let content: [UInt8]?
  /// The file, nil for one that is made of several.
  let path: String?
  let etag: ETag
  let lastModified: HTTPDate
  /// The fields of an answer that must be revalidated each time.
  let revalidated: Fields
  /// The fields of an answer whose address changes with the content (RFC 8246).
  let immutable: Fields

  init(name: String, sources: [FileStatus], hash: String, content: [UInt8]?, path: String?) {
    self.sources = sources
    self.hash = hash
    self.content = content
    self.path = path
    etag = ETag(hash)
    lastModified = HTTPDate(seconds: sources.map(\.modificationTime).max() ?? 0)
    var fields: Fields = [
      .contentType: ContentType.of(name), .etag: etag.description, .lastModified: lastModified.description,
      .cacheControl: "no-cache",
    ]
    revalidated = fields
    fields.set(.cacheControl, "public, max-age=31536000, immutable")
    immutable = fields
  }
}
