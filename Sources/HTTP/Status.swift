/// A status code (RFC 9110 section 15) and its usual reason phrase.
public struct Status: Hashable, Sendable, CustomStringConvertible {
  /// Three digits, 100 to 999.
  public let code: Int

  /// Any status of three digits; others are a mistake in the program and trap.
  public init(_ code: Int) {
    precondition((100...999).contains(code), "a status has three digits")
    self.code = code
  }

  /// Whether a response of this status never has a body: 1xx, 204, 304 (RFC 9110 section 6.4.1).
  public var isBodiless: Bool { code < 200 || code == 204 || code == 304 }

  /// Whether a response of this status has no content: those without a body, and 205 (RFC 9110 section 15.3.6).
  public var isWithoutContent: Bool { isBodiless || code == 205 }

  /// Code and reason phrase.
  public var description: String { "\(code) \(reason)" }

  /// The reason phrase of the registry (RFC 9110 section 15.1), empty for a code that is not listed here.
  public var reason: String {
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

/// The statuses by name.
extension Status {
  /// 100 Continue.
  public static var `continue`: Status { Status(100) }
  /// 101 Switching Protocols.
  public static var switchingProtocols: Status { Status(101) }
  /// 200 OK.
  public static var ok: Status { Status(200) }
  /// 201 Created.
  public static var created: Status { Status(201) }
  /// 202 Accepted.
  public static var accepted: Status { Status(202) }
  /// 204 No Content.
  public static var noContent: Status { Status(204) }
  /// 206 Partial Content.
  public static var partialContent: Status { Status(206) }
  /// 301 Moved Permanently.
  public static var movedPermanently: Status { Status(301) }
  /// 302 Found.
  public static var found: Status { Status(302) }
  /// 303 See Other.
  public static var seeOther: Status { Status(303) }
  /// 304 Not Modified.
  public static var notModified: Status { Status(304) }
  /// 307 Temporary Redirect.
  public static var temporaryRedirect: Status { Status(307) }
  /// 308 Permanent Redirect.
  public static var permanentRedirect: Status { Status(308) }
  /// 400 Bad Request.
  public static var badRequest: Status { Status(400) }
  /// 401 Unauthorized.
  public static var unauthorized: Status { Status(401) }
  /// 403 Forbidden.
  public static var forbidden: Status { Status(403) }
  /// 404 Not Found.
  public static var notFound: Status { Status(404) }
  /// 405 Method Not Allowed.
  public static var methodNotAllowed: Status { Status(405) }
  /// 406 Not Acceptable.
  public static var notAcceptable: Status { Status(406) }
  /// 408 Request Timeout.
  public static var requestTimeout: Status { Status(408) }
  /// 409 Conflict.
  public static var conflict: Status { Status(409) }
  /// 410 Gone.
  public static var gone: Status { Status(410) }
  /// 411 Length Required.
  public static var lengthRequired: Status { Status(411) }
  /// 412 Precondition Failed.
  public static var preconditionFailed: Status { Status(412) }
  /// 413 Content Too Large.
  public static var contentTooLarge: Status { Status(413) }
  /// 414 URI Too Long.
  public static var uriTooLong: Status { Status(414) }
  /// 415 Unsupported Media Type.
  public static var unsupportedMediaType: Status { Status(415) }
  /// 416 Range Not Satisfiable.
  public static var rangeNotSatisfiable: Status { Status(416) }
  /// 417 Expectation Failed.
  public static var expectationFailed: Status { Status(417) }
  /// 421 Misdirected Request.
  public static var misdirectedRequest: Status { Status(421) }
  /// 422 Unprocessable Content.
  public static var unprocessableContent: Status { Status(422) }
  /// 428 Precondition Required.
  public static var preconditionRequired: Status { Status(428) }
  /// 429 Too Many Requests.
  public static var tooManyRequests: Status { Status(429) }
  /// 431 Request Header Fields Too Large.
  public static var requestHeaderFieldsTooLarge: Status { Status(431) }
  /// 500 Internal Server Error.
  public static var internalServerError: Status { Status(500) }
  /// 501 Not Implemented.
  public static var notImplemented: Status { Status(501) }
  /// 502 Bad Gateway.
  public static var badGateway: Status { Status(502) }
  /// 503 Service Unavailable.
  public static var serviceUnavailable: Status { Status(503) }
  /// 504 Gateway Timeout.
  public static var gatewayTimeout: Status { Status(504) }
  /// 505 HTTP Version Not Supported.
  public static var httpVersionNotSupported: Status { Status(505) }
  /// 507 Insufficient Storage.
  public static var insufficientStorage: Status { Status(507) }
}
