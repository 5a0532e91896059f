import HTTP

/// Compresses text responses with gzip for clients that accept it (RFC 9110 sections 8.4 and 12.5.3).
///
/// It compresses whole bodies of bytes of a compressible type and moderate size that have no content coding yet and are
/// not marked `no-transform`; never event streams and files. It compresses quickly, per response, on the connection's
/// loop: a page of 100 messages takes 0.15 ms. Content that never changes is compressed once, thoroughly, by `forms`.
///
/// The strong entity tag of a compressed response becomes weak (section 8.8.1: equivalent, not equal byte for byte).
/// If-None-Match compares weakly, so the wrapped responder still recognises it and responds with 304.
///
/// The length of a compressed response tells an eavesdropper how much of the text they injected it already contained
/// (the BREACH attack). So a response must not contain a secret together with text chosen by others. No page and no
/// JSON here contains a token (sessions are in cookies, which are not compressed, and there are no form tokens), and
/// responses to cross-site requests are never compressed, whatever their cookies. A response that needs more protection
/// sends `Cache-Control: no-transform`. A risk remains: someone who writes to a person and observes that person's
/// connection can test guesses about other texts in the same response, such as a list of chats.
package struct Compression: Middleware {
  private let sizes: ClosedRange<Int>

  /// - Parameters:
  ///   - minimum: smaller bodies are sent uncompressed: they fit one packet anyway.
  ///   - maximum: larger bodies are sent uncompressed, since compressing them would block the loop for more than 4 ms.
  package init(minimum: Int = 1024, maximum: Int = 256 * 1024) {
    sizes = minimum...maximum
  }

  /// A responder that compresses the responses of another.
  package func wrap(_ next: Responder, pattern: String) -> Responder {
    next.transformed { coded($1, for: $0.head) }
  }

  /// Larger bodies are compressed on another thread, so that they do not hold the loop.
  private static let mostOnLoop = 32 * 1024

  /// Calls `coded`, on another thread if it takes long.
  package func codedElsewhere(_ response: Response, for head: RequestHead) async -> Response {
    guard case .bytes(let bytes) = response.body, bytes.count > Self.mostOnLoop, sizes.contains(bytes.count),
      Compression.acceptsGzip(head)
    else { return coded(response, for: head) }
    return await Task(executorPreference: globalConcurrentExecutor) { coded(response, for: head) }.value
  }

  /// The response compressed with gzip if that is worthwhile and acceptable; otherwise unchanged.
  package func coded(_ response: Response, for head: RequestHead) -> Response {
    if response.status == .notModified { return notModified(response, head) }
    guard case .bytes(let bytes) = response.body, sizes.contains(bytes.count), response.status != .partialContent,
      !response.fields.contains(.contentEncoding),
      let type = response.fields[.contentType], ContentCoding.isWorthwhile(for: type),
      !response.fields.lists("no-transform", in: .cacheControl)
    else { return response }
    var response = response
    response.fields.addVary(.acceptEncoding)
    guard Compression.acceptsGzip(head) else { return response }
    return Compression.encode(response, bytes, .quick)
  }

  /// A response of bytes that never changes, and its form for requests that `acceptsGzip`.
  package static func forms(of response: Response) -> (plain: Response, coded: Response) {
    guard case .bytes(let bytes) = response.body else { return (response, response) }
    var response = response
    response.fields.addVary(.acceptEncoding)
    return (response, encode(response, bytes, .thorough))
  }

  /// Whether to respond to this request in gzip.
  package static func acceptsGzip(_ head: RequestHead) -> Bool {
    !isProvoked(head) && AcceptEncoding(head).preferred == .gzip
  }

  /// The response in gzip, its strong tag made weak; unchanged if gzip is not smaller.
  private static func encode(_ response: Response, _ bytes: [UInt8], _ effort: Gzip.Effort) -> Response {
    guard let coding = encode(bytes, effort) else { return response }
    var response = response
    response.body = .bytes(coding)
    response.fields.set(.contentEncoding, ContentCoding.gzip.rawValue)
    if let tag = response.fields[.etag], tag.first == "\"" { response.fields.set(.etag, "W/" + tag) }
    return response
  }

  /// A 304 carries the tag of the client's copy, since a cache must not refresh it by another strong tag (RFC 9111
  /// section 4.3.4), and Vary as the 200 would (RFC 9110 section 15.4.5).
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

  /// Whether a page of another site caused this request (Fetch Metadata, section 2.3). Browsers and programs that send
  /// no such field count as same-site.
  private static func isProvoked(_ head: RequestHead) -> Bool {
    guard let site = head[.secFetchSite] else { return false }
    return site != "same-origin" && site != "none"
  }

  /// The content compressed with gzip; nil if that is not smaller.
  static func encode(_ bytes: [UInt8], _ effort: Gzip.Effort) -> [UInt8]? {
    guard let coding = Gzip.encode(bytes, effort: effort), coding.count < bytes.count else { return nil }
    return coding
  }
}
