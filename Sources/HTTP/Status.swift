/// A status code (RFC 9110 section 15) and its usual reason phrase.
package struct Status: Hashable, Sendable, CustomStringConvertible {
  /// Three digits, 100 to 999.
  package let code: Int

  /// Any status of three digits; traps on others.
  package init(_ code: Int) {
    precondition((100...999).contains(code), "a status has three digits")
    self.code = code
  }

  /// Whether a response of this status never has a body: 1xx, 204, 304 (RFC 9110 section 6.4.1).
  package var isBodiless: Bool { code < 200 || code == 204 || code == 304 }

  /// Whether a response of this status has no content: those without a body, and 205 (RFC 9110 section 15.3.6).
  package var isWithoutContent: Bool { isBodiless || code == 205 }

  /// Code and reason phrase.
  package var description: String { "\(code) \(reason)" }

  /// The reason phrase of the registry (RFC 9110 section 15.1); empty for a code not listed here.
  package var reason: String {
    switch code {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}

extension Status {
  /// 100 Continue.
  package static var `continue`: Status { Status(100) }
  /// 101 Switching Protocols.
  package static var switchingProtocols: Status { Status(101) }
  /// 200 OK.
  package static var ok: Status { Status(200) }
  /// 201 Created.
  package static var created: Status { Status(201) }
  /// 202 Accepted.
  package static var accepted: Status { Status(202) }
  /// 204 No Content.
  package static var noContent: Status { Status(204) }
  /// 206 Partial Content.
  package static var partialContent: Status { Status(206) }
  /// 301 Moved Permanently.
  package static var movedPermanently: Status { Status(301) }
  /// 302 Found.
  package static var found: Status { Status(302) }
  /// 303 See Other.
  package static var seeOther: Status { Status(303) }
  /// 304 Not Modified.
  package static var notModified: Status { Status(304) }
  /// 307 Temporary Redirect.
  package static var temporaryRedirect: Status { Status(307) }
  /// 308 Permanent Redirect.
  package static var permanentRedirect: Status { Status(308) }
  /// 400 Bad Request.
  package static var badRequest: Status { Status(400) }
  /// 401 Unauthorized.
  package static var unauthorized: Status { Status(401) }
  /// 403 Forbidden.
  package static var forbidden: Status { Status(403) }
  /// 404 Not Found.
  package static var notFound: Status { Status(404) }
  /// 405 Method Not Allowed.
  package static var methodNotAllowed: Status { Status(405) }
  /// 406 Not Acceptable.
  package static var notAcceptable: Status { Status(406) }
  /// 408 Request Timeout.
  package static var requestTimeout: Status { Status(408) }
  /// 409 Conflict.
  package static var conflict: Status { Status(409) }
  /// 410 Gone.
  package static var gone: Status { Status(410) }
  /// 411 Length Required.
  package static var lengthRequired: Status { Status(411) }
  /// 412 Precondition Failed.
  package static var preconditionFailed: Status { Status(412) }
  /// 413 Content Too Large.
  package static var contentTooLarge: Status { Status(413) }
  /// 414 URI Too Long.
  package static var uriTooLong: Status { Status(414) }
  /// 415 Unsupported Media Type.
  package static var unsupportedMediaType: Status { Status(415) }
  /// 416 Range Not Satisfiable.
  package static var rangeNotSatisfiable: Status { Status(416) }
  /// 417 Expectation Failed.
  package static var expectationFailed: Status { Status(417) }
  /// 421 Misdirected Request.
  package static var misdirectedRequest: Status { Status(421) }
  /// 422 Unprocessable Content.
  package static var unprocessableContent: Status { Status(422) }
  /// 428 Precondition Required.
  package static var preconditionRequired: Status { Status(428) }
  /// 429 Too Many Requests.
  package static var tooManyRequests: Status { Status(429) }
  /// 431 Request Header Fields Too Large.
  package static var requestHeaderFieldsTooLarge: Status { Status(431) }
  /// 500 Internal Server Error.
  package static var internalServerError: Status { Status(500) }
  /// 501 Not Implemented.
  package static var notImplemented: Status { Status(501) }
  /// 502 Bad Gateway.
  package static var badGateway: Status { Status(502) }
  /// 503 Service Unavailable.
  package static var serviceUnavailable: Status { Status(503) }
  /// 504 Gateway Timeout.
  package static var gatewayTimeout: Status { Status(504) }
  /// 505 HTTP Version Not Supported.
  package static var httpVersionNotSupported: Status { Status(505) }
  /// 507 Insufficient Storage.
  package static var insufficientStorage: Status { Status(507) }
}
