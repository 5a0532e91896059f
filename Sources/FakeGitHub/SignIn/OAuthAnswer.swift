import Base
import HTTP

/// A response of the OAuth endpoints in the requested encoding: JSON, XML, or a form, which is the default.
struct OAuthAnswer {
  /// The members, sorted by name.
  var members: [(name: String, value: JSONValue)]

  init(_ members: [String: JSONValue]) {
    self.members = members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// An error, with GitHub's message where documented.
  init(error: String, interval: Int64? = nil) {
    var members: [String: JSONValue] = ["error": .string(error)]
    if let (words, page) = Self.words[error] {
      members["error_description"] = .string(words)
      members["error_uri"] = .string(page)
    }
    if let interval { members["interval"] = .integer(interval) }
    self.init(members)
  }

  /// The response in the encoding that `accept` asks for.
  func answer(accept: String, status: Int = 200) -> Simulation.Answer {
    func text(_ value: JSONValue) -> String { value.string ?? value.integer.map(String.init) ?? "" }
    let type: String
    let body: [UInt8]
    if accept.contains("json") {
      type = "application/json; charset=utf-8"
      body = JSONValue.object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })).bytes
    } else if accept.contains("xml") {
      type = "application/xml; charset=utf-8"
      let lines = members.map { "<\($0.name)>\(HTML.escaped(text($0.value)))</\($0.name)>" }
      body = Array(("<OAuth>" + lines.joined() + "</OAuth>").utf8)
    } else {
      type = "application/x-www-form-urlencoded; charset=utf-8"
      let pairs = members.map { $0.name + "=" + PercentEncoding.encode(text($0.value)) }
      body = Array(pairs.joined(separator: "&").utf8)
    }
    return Simulation.Answer(
      status: status, fields: ["content-type": type, "cache-control": "no-store"], body: body)
  }

  /// GitHub's message and documentation page for each error.
  static let words: [String: (String, String)] = [
    "bad_verification_code": ("The code passed is incorrect or expired.", token + "bad-verification-code"),
    "incorrect_client_credentials": (
      "The client_id and/or client_secret passed are incorrect.", token + "incorrect-client-credentials"
    ),
    "redirect_uri_mismatch": (
      "The redirect_uri MUST match the registered callback URL for this application.",
      authorization + "redirect-uri-mismatch2"
    ),
    "unverified_user_email": ("The user must have a verified primary email.", token + "unverified_user_email"),
    "access_denied": ("The user has denied your application access.", authorization + "access-denied"),
    "application_suspended": ("Your application has been suspended.", authorization + "application-suspended"),
  ]

  private static let token =
    "/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#"
  private static let authorization =
    "/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#"
}
