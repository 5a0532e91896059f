import EventLoop
import HTTP

/// One file as it was when it was last read.
final class StaticFile: Sendable {
  /// The file in one content coding, with all that is sent of it (RFC 9110 section 3.2).
  struct Representation: Sendable {
    let etag: ETag
    /// The content, nil where it is too large to keep: then it is sent from `path`.
    let content: [UInt8]?
    /// The fields of an answer that must be revalidated each time.
    let revalidated: Fields
    /// The fields of an answer whose address changes with the content (RFC 8246).
    let immutable: Fields
  }

  /// Smaller files are not compressed: they fit one packet anyway.
  static let compressedFrom = 512

  /// The statuses of the files it is made of: when one differs, it is read again.
  let sources: [FileStatus]
  /// The hash of the content.
  let hash: String
  /// The file, nil for one that is made of several.
  let path: String?
  let lastModified: HTTPDate
  let identity: Representation
  /// Made once, with the file; nil for types that do not become smaller, for small files and for those not kept.
  let gzip: Representation?

  init(name: String, sources: [FileStatus], hash: String, content: [UInt8]?, path: String?) {
    self.sources = sources
    self.hash = hash
    self.path = path
    // Never later than any answer's Date (RFC 9110 section 8.8.2.1), whatever the file system says.
    lastModified = min(HTTPDate(seconds: sources.map(\.modificationTime).max() ?? 0), .now())
    let coding = content.flatMap {
      StaticFile.isCompressed(name, size: $0.count) ? Compression.encode($0, .thorough) : nil
    }
    var fields: Fields = [
      .contentType: ContentType.of(name), .lastModified: lastModified.description, .acceptRanges: "bytes",
    ]
    if coding != nil { fields.set(.vary, FieldName.acceptEncoding.canonical) }
    identity = Representation(etag: ETag(hash), content: content, fields: fields)
    gzip = coding.map { coding in
      var fields = fields
      fields.set(.contentEncoding, ContentCoding.gzip.rawValue)
      // A strong tag is one of these very bytes, which another zlib may make differently.
      return Representation(etag: ETag(ContentHash.of(coding)), content: coding, fields: fields)
    }
  }

  /// Whether a file of that name and size is worth compressing.
  static func isCompressed(_ name: String, size: Int) -> Bool {
    size >= compressedFrom && ContentCoding.isWorthwhile(for: ContentType.of(name))
  }

  /// What may be sent to who made this request, at least one, the best first.
  func representations(for head: RequestHead) -> [Representation] {
    guard let gzip else { return [identity] }
    let accepted = AcceptEncoding(head)
    switch accepted.preferred {
    case .gzip: return accepted.accepts(.identity) ? [gzip, identity] : [gzip]
    case .identity: return accepted.accepts(.gzip) ? [identity, gzip] : [identity]
    }
  }
}

extension StaticFile.Representation {
  fileprivate init(etag: ETag, content: [UInt8]?, fields: Fields) {
    var fields = fields
    fields.set(.etag, etag.description)
    fields.set(.cacheControl, "no-cache")
    self.etag = etag
    self.content = content
    revalidated = fields
    fields.set(.cacheControl, "public, max-age=31536000, immutable")
    immutable = fields
  }
}
