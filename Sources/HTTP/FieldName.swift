/// The name of a field, kept in lower case: names are case-insensitive (RFC 9110 section 5.1).
package struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name in lower case.
  package let canonical: String

  /// A field name from any string, or nil when it is not a token.
  package init?(_ name: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(Characters.isToken) else { return nil }
    let isLowercase = name.utf8.allSatisfy { Characters.lowercased($0) == $0 }
    canonical = isLowercase ? name : name.lowercased()
  }

  /// A field name from a literal. Traps if it is not a token.
  package init(stringLiteral name: String) {
    guard let parsed = FieldName(name) else { preconditionFailure("not a field name: \(name)") }
    self = parsed
  }

  private init(verified canonical: String) {
    self.canonical = canonical
  }

  /// The name in lower case.
  package var description: String { canonical }
}

/// Common names, without the check of a literal.
extension FieldName {
  /// Accept (RFC 9110 section 12.5.1).
  package static var accept: FieldName { FieldName(verified: "accept") }
  /// Accept-Language (RFC 9110 section 12.5.4).
  package static var acceptLanguage: FieldName { FieldName(verified: "accept-language") }
  /// Accept-Ranges (RFC 9110 section 14.3).
  package static var acceptRanges: FieldName { FieldName(verified: "accept-ranges") }
  /// Accept-Encoding (RFC 9110 section 12.5.3).
  package static var acceptEncoding: FieldName { FieldName(verified: "accept-encoding") }
  /// Allow (RFC 9110 section 10.2.1).
  package static var allow: FieldName { FieldName(verified: "allow") }
  /// Authorization (RFC 9110 section 11.6.2).
  package static var authorization: FieldName { FieldName(verified: "authorization") }
  /// Cache-Control (RFC 9111 section 5.2).
  package static var cacheControl: FieldName { FieldName(verified: "cache-control") }
  /// Connection (RFC 9110 section 7.6.1).
  package static var connection: FieldName { FieldName(verified: "connection") }
  /// Content-Encoding (RFC 9110 section 8.4).
  package static var contentEncoding: FieldName { FieldName(verified: "content-encoding") }
  /// Content-Length (RFC 9110 section 8.6).
  package static var contentLength: FieldName { FieldName(verified: "content-length") }
  /// Content-Range (RFC 9110 section 14.4).
  package static var contentRange: FieldName { FieldName(verified: "content-range") }
  /// Content-Type (RFC 9110 section 8.3).
  package static var contentType: FieldName { FieldName(verified: "content-type") }
  /// Cookie (RFC 6265 section 4.2).
  package static var cookie: FieldName { FieldName(verified: "cookie") }
  /// Date (RFC 9110 section 6.6.1).
  package static var date: FieldName { FieldName(verified: "date") }
  /// ETag (RFC 9110 section 8.8.3).
  package static var etag: FieldName { FieldName(verified: "etag") }
  /// Expect (RFC 9110 section 10.1.1).
  package static var expect: FieldName { FieldName(verified: "expect") }
  /// Forwarded (RFC 7239).
  package static var forwarded: FieldName { FieldName(verified: "forwarded") }
  /// Host (RFC 9110 section 7.2).
  package static var host: FieldName { FieldName(verified: "host") }
  /// If-Match (RFC 9110 section 13.1.1).
  package static var ifMatch: FieldName { FieldName(verified: "if-match") }
  /// If-Modified-Since (RFC 9110 section 13.1.3).
  package static var ifModifiedSince: FieldName { FieldName(verified: "if-modified-since") }
  /// If-None-Match (RFC 9110 section 13.1.2).
  package static var ifNoneMatch: FieldName { FieldName(verified: "if-none-match") }
  /// If-Range (RFC 9110 section 13.1.5).
  package static var ifRange: FieldName { FieldName(verified: "if-range") }
  /// If-Unmodified-Since (RFC 9110 section 13.1.4).
  package static var ifUnmodifiedSince: FieldName { FieldName(verified: "if-unmodified-since") }
  /// Last-Event-ID (HTML Living Standard, section 9.2.4).
  package static var lastEventID: FieldName { FieldName(verified: "last-event-id") }
  /// Last-Modified (RFC 9110 section 8.8.2).
  package static var lastModified: FieldName { FieldName(verified: "last-modified") }
  /// Link (RFC 8288).
  package static var link: FieldName { FieldName(verified: "link") }
  /// Location (RFC 9110 section 10.2.2).
  package static var location: FieldName { FieldName(verified: "location") }
  /// Origin (Fetch Standard, section 3.2).
  package static var origin: FieldName { FieldName(verified: "origin") }
  /// Range (RFC 9110 section 14.2).
  package static var range: FieldName { FieldName(verified: "range") }
  /// Retry-After (RFC 9110 section 10.2.3).
  package static var retryAfter: FieldName { FieldName(verified: "retry-after") }
  /// Sec-Fetch-Site (Fetch Metadata, section 2.3).
  package static var secFetchSite: FieldName { FieldName(verified: "sec-fetch-site") }
  /// Set-Cookie (RFC 6265 section 4.1).
  package static var setCookie: FieldName { FieldName(verified: "set-cookie") }
  /// Transfer-Encoding (RFC 9112 section 6.1).
  package static var transferEncoding: FieldName { FieldName(verified: "transfer-encoding") }
  /// User-Agent (RFC 9110 section 10.1.5).
  package static var userAgent: FieldName { FieldName(verified: "user-agent") }
  /// Vary (RFC 9110 section 12.5.5).
  package static var vary: FieldName { FieldName(verified: "vary") }
  /// X-Content-Type-Options (Fetch Standard, section 3.6).
  package static var xContentTypeOptions: FieldName { FieldName(verified: "x-content-type-options") }
  /// X-Forwarded-For: the client's address according to proxies (de facto standard).
  package static var xForwardedFor: FieldName { FieldName(verified: "x-forwarded-for") }
  /// X-Forwarded-Proto: the client's scheme according to proxies (de facto standard).
  package static var xForwardedProto: FieldName { FieldName(verified: "x-forwarded-proto") }
  /// X-Request-Id: identifies a request in responses and logs.
  package static var xRequestID: FieldName { FieldName(verified: "x-request-id") }
}
