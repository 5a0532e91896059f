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
  /// The content, nil where it is too large to keep.
  let content: [UInt8]?
  /// The file, nil for one that is made of several.
  let path: String?
  let lastModified: HTTPDate
  private let name: String
  /// Identity, and gzip where there is one; made once, when first asked for, since compressing all files would be most
  /// of the program's start.
  private let made = Lock<[Representation]>([])

  init(name: String, sources: [FileStatus], hash: String, content: [UInt8]?, path: String?) {
    self.name = name
    self.sources = sources
    self.hash = hash
    self.content = content
    self.path = path
    // Never later than any answer's Date (RFC 9110 section 8.8.2.1), whatever the file system says.
    lastModified = min(HTTPDate(seconds: sources.map(\.modificationTime).max() ?? 0), .now())
  }

  /// Both representations, or the one: none in gzip of types that do not become smaller, of small files and of those
  /// not kept.
  private var all: [Representation] {
    made.withLock { made in
      if made.isEmpty { made = makeRepresentations() }
      return made
    }
  }

  private func makeRepresentations() -> [Representation] {
    let coding = content.flatMap {
      StaticFile.isCompressed(name, size: $0.count) ? Compression.encode($0, .thorough) : nil
    }
    var fields: Fields = [
      .contentType: ContentType.of(name), .lastModified: lastModified.description, .acceptRanges: "bytes",
    ]
    guard let coding else { return [Representation(etag: ETag(hash), content: content, fields: fields)] }
    fields.set(.vary, FieldName.acceptEncoding.canonical)
    let identity = Representation(etag: ETag(hash), content: content, fields: fields)
    fields.set(.contentEncoding, ContentCoding.gzip.rawValue)
    // A strong tag is one of these very bytes, which another zlib may make differently.
    return [identity, Representation(etag: ETag(ContentHash.of(coding)), content: coding, fields: fields)]
  }

  /// Whether a file of that name and size is worth compressing.
  static func isCompressed(_ name: String, size: Int) -> Bool {
    size >= compressedFrom && ContentCoding.isWorthwhile(for: ContentType.of(name))
  }

  /// What may be sent to who made this request, at least one, the best first.
  func representations(for head: RequestHead) -> [Representation] {
    let all = all
    guard all.count == 2 else { return all }
    let (identity, gzip) = (all[0], all[1])
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
