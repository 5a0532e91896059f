/// The name of a field, kept in lower case: names are case-insensitive (RFC 9110 section 5.1).
public struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name in lower case.
  public let canonical: String

  /// A field name from any string, or nil when it is not a token.
  public init?(_ name: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(Characters.isToken) else { return nil }
    let isLowercase = name.utf8.allSatisfy { Characters.lowercased($0) == $0 }
    canonical = isLowercase ? name : name.lowercased()
  }

  /// A field name written in the source. A literal that is not a token is a mistake in the program and traps.
  public init(stringLiteral name: String) {
    guard let parsed = FieldName(name) else { preconditionFailure("not a field name: \(name)") }
    self = parsed
  }

  private init(verified canonical: String) {
    self.canonical = canonical
  }

  /// The name in lower case.
  public var description: String { canonical }
}

/// Names used often, without the check that a literal goes through.
extension FieldName {
  /// Accept (RFC 9110 section 12.5.1).
  public static var accept: FieldName { FieldName(verified: "accept") }
  /// Accept-Ranges (RFC 9110 section 14.3).
  public static var acceptRanges: FieldName { FieldName(verified: "accept-ranges") }
  /// Accept-Encoding (RFC 9110 section 12.5.3).
  public static var acceptEncoding: FieldName { FieldName(verified: "accept-encoding") }
  /// Allow (RFC 9110 section 10.2.1).
  public static var allow: FieldName { FieldName(verified: "allow") }
  /// Authorization (RFC 9110 section 11.6.2).
  public static var authorization: FieldName { FieldName(verified: "authorization") }
  /// Cache-Control (RFC 9111 section 5.2).
  public static var cacheControl: FieldName { FieldName(verified: "cache-control") }
  /// Connection (RFC 9110 section 7.6.1).
  public static var connection: FieldName { FieldName(verified: "connection") }
  /// Content-Encoding (RFC 9110 section 8.4).
  public static var contentEncoding: FieldName { FieldName(verified: "content-encoding") }
  /// Content-Length (RFC 9110 section 8.6).
  public static var contentLength: FieldName { FieldName(verified: "content-length") }
  /// Content-Range (RFC 9110 section 14.4).
  public static var contentRange: FieldName { FieldName(verified: "content-range") }
  /// Content-Type (RFC 9110 section 8.3).
  public static var contentType: FieldName { FieldName(verified: "content-type") }
  /// Cookie (RFC 6265 section 4.2).
  public static var cookie: FieldName { FieldName(verified: "cookie") }
  /// Date (RFC 9110 section 6.6.1).
  public static var date: FieldName { FieldName(verified: "date") }
  /// ETag (RFC 9110 section 8.8.3).
  public static var etag: FieldName { FieldName(verified: "etag") }
  /// Expect (RFC 9110 section 10.1.1).
  public static var expect: FieldName { FieldName(verified: "expect") }
  /// Forwarded (RFC 7239).
  public static var forwarded: FieldName { FieldName(verified: "forwarded") }
  /// Host (RFC 9110 section 7.2).
  public static var host: FieldName { FieldName(verified: "host") }
  /// If-Match (RFC 9110 section 13.1.1).
  public static var ifMatch: FieldName { FieldName(verified: "if-match") }
  /// If-Modified-Since (RFC 9110 section 13.1.3).
  public static var ifModifiedSince: FieldName { FieldName(verified: "if-modified-since") }
  /// If-None-Match (RFC 9110 section 13.1.2).
  public static var ifNoneMatch: FieldName { FieldName(verified: "if-none-match") }
  /// If-Range (RFC 9110 section 13.1.5).
  public static var ifRange: FieldName { FieldName(verified: "if-range") }
  /// If-Unmodified-Since (RFC 9110 section 13.1.4).
  public static var ifUnmodifiedSince: FieldName { FieldName(verified: "if-unmodified-since") }
  /// Last-Event-ID (HTML Living Standard, section 9.2.4).
  public static var lastEventID: FieldName { FieldName(verified: "last-event-id") }
  /// Last-Modified (RFC 9110 section 8.8.2).
  public static var lastModified: FieldName { FieldName(verified: "last-modified") }
  /// Link (RFC 8288).
  public static var link: FieldName { FieldName(verified: "link") }
  /// Location (RFC 9110 section 10.2.2).
  public static var location: FieldName { FieldName(verified: "location") }
  /// Origin (Fetch Standard, section 3.2).
  public static var origin: FieldName { FieldName(verified: "origin") }
  /// Range (RFC 9110 section 14.2).
  public static var range: FieldName { FieldName(verified: "range") }
  /// Retry-After (RFC 9110 section 10.2.3).
  public static var retryAfter: FieldName { FieldName(verified: "retry-after") }
  /// Set-Cookie (RFC 6265 section 4.1).
  public static var setCookie: FieldName { FieldName(verified: "set-cookie") }
  /// Transfer-Encoding (RFC 9112 section 6.1).
  public static var transferEncoding: FieldName { FieldName(verified: "transfer-encoding") }
  /// User-Agent (RFC 9110 section 10.1.5).
  public static var userAgent: FieldName { FieldName(verified: "user-agent") }
  /// Vary (RFC 9110 section 12.5.5).
  public static var vary: FieldName { FieldName(verified: "vary") }
  /// X-Content-Type-Options (Fetch Standard, section 3.6).
  public static var xContentTypeOptions: FieldName { FieldName(verified: "x-content-type-options") }
  /// X-Forwarded-For: what proxies say of who asked, by custom.
  public static var xForwardedFor: FieldName { FieldName(verified: "x-forwarded-for") }
  /// X-Forwarded-Proto: what proxies say of how they were asked, by custom.
  public static var xForwardedProto: FieldName { FieldName(verified: "x-forwarded-proto") }
  /// X-Request-Id, the identity of a request in answers and logs.
  public static var xRequestID: FieldName { FieldName(verified: "x-request-id") }
}
