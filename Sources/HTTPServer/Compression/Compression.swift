import HTTP

/// Sends answers of texts in gzip to clients that take it (RFC 9110 sections 8.4 and 12.5.3).
///
/// What is coded: bodies of bytes, of a type that becomes smaller, neither small nor huge, not coded yet, whole (no 206)
/// and not marked `no-transform`. Event streams and files are never touched, small answers neither. What everybody may
/// see (`Cache-Control: public`) is coded thoroughly, once, and kept within a bound; the rest quickly, each time anew,
/// on the connection's loop: a page of 100 messages takes 0.15 ms.
///
/// A coded answer's strong entity tag becomes a weak one (section 8.8.1: equivalent, not equal byte for byte). Since
/// If-None-Match compares weakly, the responder below recognises it and answers 304 without knowing of any of this.
///
/// The length of a compressed answer tells whoever listens on the line how much of what he made the answer contain it
/// contained already (the BREACH attack). So an answer must not carry a secret beside text that others choose. Here
/// no page and no JSON carries a token (sessions are in cookies, which are not compressed, and there are no form
/// tokens), and a request that another site's page provokes is never answered in gzip, whatever its cookies. An answer
/// for which that does not suffice says `Cache-Control: no-transform`. What remains: who writes to a person and also
/// counts the bytes on that person's line may test guesses about other texts in the same answer, a list of chats.
public struct Compression: Middleware {
  private let sizes: ClosedRange<Int>
  let kept: KeptCodings

  /// - Parameters:
  ///   - minimum: bodies below this many bytes are sent as they are: they fit one packet anyway.
  ///   - maximum: bodies above it are sent as they are, since coding them would hold up the loop for more than 4 ms.
  ///   - keptBytes: how much of what everybody may see is kept, contents and codings together.
  public init(minimum: Int = 1024, maximum: Int = 256 * 1024, keptBytes: Int = 16 * 1024 * 1024) {
    sizes = minimum...maximum
    kept = KeptCodings(limit: keptBytes)
  }

  /// A responder whose answers are coded where that is worthwhile.
  public func wrap(_ next: Responder, pattern: String) -> Responder {
    next.transformed { request, response in
      if response.status == .notModified { return notModified(response, request.head) }
      return coded(response, request.head)
    }
  }

  private func coded(_ response: Response, _ head: RequestHead) -> Response {
    guard case .bytes(let bytes) = response.body, sizes.contains(bytes.count), response.status != .partialContent,
      let type = response.fields[.contentType], ContentCoding.isWorthwhile(for: type),
      !response.fields.contains(.contentEncoding)
    else { return response }
    let directives = Compression.directives(response.fields)
    guard !directives.contains("no-transform") else { return response }
    var response = response
    response.fields.addVary(.acceptEncoding)
    guard !Compression.isProvoked(head), AcceptEncoding(head).preferred == .gzip else { return response }
    let tag = response.fields[.etag].flatMap { ETag(parsing: $0) }
    let coding: [UInt8]?
    if let tag, !tag.isWeak, response.status == .ok, directives.contains("public") {
      coding = kept.coding(of: bytes, tag: tag)
    } else {
      coding = Compression.encode(bytes, .quick)
    }
    guard let coding else { return response }
    response.body = .bytes(coding)
    response.fields.set(.contentEncoding, ContentCoding.gzip.rawValue)
    if let tag { response.fields.set(.etag, ETag(tag.opaque, isWeak: true).description) }
    return response
  }

  /// A 304 bears the tag by which the client knows its copy: a cache must not use one with another strong tag to
  /// refresh what it has (RFC 9111 section 4.3.4). And Vary, as the 200 would have (RFC 9110 section 15.4.5).
  private func notModified(_ response: Response, _ head: RequestHead) -> Response {
    guard let tag = response.fields[.etag].flatMap({ ETag(parsing: $0) }) else { return response }
    var response = response
    response.fields.addVary(.acceptEncoding)
    let known = head.all(.ifNoneMatch)
    if known.contains(where: { $0.contains("W/\(tag)") }), AcceptEncoding(head).preferred == .gzip {
      response.fields.set(.etag, ETag(tag.opaque, isWeak: true).description)
    }
    return response
  }

  /// Whether another site's page had this request made (Fetch Metadata, section 2.3). Browsers that do not say count as
  /// innocent, as do other programs: they have no pages.
  private static func isProvoked(_ head: RequestHead) -> Bool {
    guard let site = head["sec-fetch-site"] else { return false }
    return site != "same-origin" && site != "none"
  }

  private static func directives(_ fields: Fields) -> Set<String> {
    Set(
      fields.all(.cacheControl).flatMap { $0.split(separator: ",") }
        .map { String($0.filter { $0 != " " && $0 != "\t" }).lowercased() })
  }

  /// The content in gzip, nil where that is not smaller.
  static func encode(_ bytes: [UInt8], _ effort: Gzip.Effort) -> [UInt8]? {
    guard let coding = Gzip.encode(bytes, effort: effort), coding.count < bytes.count else { return nil }
    return coding
  }
}
