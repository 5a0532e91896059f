/// How a sign-in at the stand-in is approved.
package enum Approval: Equatable, Sendable {
  /// By the person, on the page.
  case page
  /// Automatically, as the account with this login, as GitHub does for an application authorised before.
  case login(String)
  /// Refused automatically with this error, such as `access_denied` or `application_suspended`.
  case error(String)

  /// Parses the body of `POST /_sign_in`: `{"login": "octocat"}`, `{"error": "access_denied"}`, or `{}` for the page.
  init?(json: [UInt8]) {
    guard let value = JSONValue(json), case .object(let members) = value else { return nil }
    if let login = members["login"]?.string {
      self = .login(login)
    } else if let error = members["error"]?.string {
      self = .error(error)
    } else {
      self = .page
    }
  }

  /// The value as JSON.
  var json: [UInt8] {
    let members: [String: JSONValue] =
      switch self {
      case .page: [:]
      case .login(let login): ["login": .string(login)]
      case .error(let error): ["error": .string(error)]
      }
    return JSONValue.object(members).bytes
  }
}
