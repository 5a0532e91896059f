import Chat
import HTTP
import HTTPServer

/// An error as clients see it: `application/problem+json` (RFC 9457) with the names defined in docs/api.md.
struct Problem: Error, Sendable {
  /// The last part of the `type`: `/problems/<name>`.
  enum Name: String, Sendable, CaseIterable {
    case invalid
    case unauthenticated
    case forbidden
    case notFound = "not-found"
    case conflict
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case rateLimited = "rate-limited"
    case githubRateLimited = "github-rate-limited"
    case githubUnavailable = "github-unavailable"
    case unavailable
    case `internal`

    var title: String {
      switch self {
      case .invalid: "The request is invalid"
      case .unauthenticated: "Nobody is signed in"
      case .forbidden: "This is not allowed"
      case .notFound: "There is no such thing"
      case .conflict: "The request conflicts with what is stored"
      case .tooLarge: "The request is too large"
      case .unsupportedMediaType: "This type of content is not understood"
      case .rateLimited: "Too many requests"
      case .githubRateLimited: "GitHub's rate limit is reached"
      case .githubUnavailable: "GitHub cannot be asked"
      case .unavailable: "Not possible at the moment"
      case .internal: "Something went wrong here"
      }
    }
  }

  var name: Name
  var status: Status
  /// A sentence for people.
  var detail: String
  /// The fields in error.
  var errors: [FieldError] = []
  /// The number of seconds after which to retry.
  var retryAfter: Int?
  /// The allowance that has been spent.
  var balance: Allowances.Balance?
  /// GitHub's failure.
  var github: DirectoryFailure?

  static let unauthenticated = Problem(
    name: .unauthenticated, status: .unauthorized, detail: "Sign in first.")
  static let notFound = Problem(
    name: .notFound, status: .notFound, detail: "There is nothing at this address, or you may not see it.")
  static let methodNotAllowed = Problem(
    name: .invalid, status: .methodNotAllowed,
    detail: "This method is not allowed here; Allow lists those that are.")
  static let unsupportedMediaType = Problem(
    name: .unsupportedMediaType, status: .unsupportedMediaType,
    detail: "The body must be application/json in UTF-8, and Content-Type must say so.")
  static let preconditionFailed = Problem(
    name: .conflict, status: .preconditionFailed, detail: "The current version does not match If-Match.")
  static let crossSite = Problem(
    name: .forbidden, status: .forbidden, detail: "The request comes from a page on another site.")

  /// The body is not valid JSON.
  static func malformedBody(_ detail: String) -> Problem {
    Problem(name: .invalid, status: .badRequest, detail: detail)
  }

  /// The response to `request`: JSON for programs, a page for people.
  func response(to request: Request, page: ErrorPage) -> Response {
    let path = request.head.path
    let isForPrograms = path.hasPrefix("/api") || path == "/healthz" || path == "/readyz"
    return isForPrograms ? response(requestID: request.id) : page.response(self, to: request)
  }

  /// The response for programs, without the fields that all responses get.
  func response(requestID: String) -> Response {
    var fields: Fields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
    if let retryAfter { fields.set(.retryAfter, String(retryAfter)) }
    if let balance { fields.set(balance) }
    // RFC 9110 section 15.5.2 asks for a challenge. This one (draft-broyer-http-cookie-auth) names what there is, and
    // makes no browser ask for a password by itself.
    if status == .unauthorized { fields.set("www-authenticate", "Cookie realm=\"Hubbub\"") }
    return Response(status: status, fields: fields, body: .bytes(body(requestID: requestID)))
  }

  private func body(requestID: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "/problems/" + name.rawValue)
      json.member("title", name.title)
      json.member("status", status.code)
      json.member("detail", detail)
      json.member("request_id", requestID)
      if !errors.isEmpty {
        json.name("errors")
        json.array { json in
          for error in errors { json.value(error) }
        }
      }
      if let balance { json.member("limit", balance.allowance.rawValue) }
      if let github { json.members(github) }
    }
    return json.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ error: FieldError) {
    object { json in
      json.member("field", error.field)
      json.member("code", error.code)
      json.member("detail", error.detail)
    }
  }

  /// GitHub's part of a problem, for the operator's debug line and the countdown.
  fileprivate mutating func members(_ failure: DirectoryFailure) {
    if case .rateLimited(let resetAt?) = failure.kind { member("reset_at", resetAt.description) }
    if let status = failure.status { member("github_status", status) }
    if let requestID = failure.requestID { member("github_request_id", requestID) }
    member("github_message", failure.message)
  }
}
