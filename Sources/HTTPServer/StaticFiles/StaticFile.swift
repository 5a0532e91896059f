import Base
import EventLoop
import HTTP

/// A file as last read.
final class StaticFile: Sendable {
  /// The file in one content coding, with its fields (RFC 9110 section 3.2).
  struct Representation: Sendable {
    let etag: ETag
    /// The content; nil if it is too large for memory and sent from `path`.
    let content: [UInt8]?
    /// The fields of a response that must be revalidated.
    let revalidated: Fields
    /// The fields of a response at an address that changes with the content (RFC 8246).
    let immutable: Fields
  }

  /// Smaller files are not compressed: they fit one packet.
  static let compressedFrom = 512

  /// The statuses of the source files; the file is read again when one differs.
  let sources: [FileStatus]
  /// The hash of the content.
  let hash: String
  /// The content; nil if it is too large for memory.
  let content: [UInt8]?
  /// The source file; nil for a bundle.
  let path: String?
  let lastModified: HTTPDate
  private let name: String
  /// Identity, and gzip if it is smaller; created on first use, since compressing all files would dominate the
  /// program's start.
  private let made = Lock<[Representation]>([])

  init(name: String, sources: [FileStatus], hash: String, content: [UInt8]?, path: String?) {
    self.name = name
    self.sources = sources
    self.hash = hash
    self.content = content
    self.path = path
    // Never later than the response's Date (RFC 9110 section 8.8.2.1), whatever the file system reports.
    lastModified = min(HTTPDate(seconds: sources.map(\.modificationTime).max() ?? 0), .now())
  }

  /// The representations: no gzip for incompressible types, small files, and files not in memory.
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
    // The strong tag is a hash of these bytes, since another zlib may compress differently.
    return [identity, Representation(etag: ETag(StableHash(of: coding).hexadecimal), content: coding, fields: fields)]
  }

  /// Whether a file of that name and size is worth compressing.
  static func isCompressed(_ name: String, size: Int) -> Bool {
    size >= compressedFrom && ContentCoding.isWorthwhile(for: ContentType.of(name))
  }

  /// The representations acceptable to the request, at least one, best first.
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
