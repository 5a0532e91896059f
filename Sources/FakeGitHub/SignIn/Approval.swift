/// Who decides when somebody is sent to the stand-in to sign in.
public enum Approval: Equatable, Sendable {
  /// The person, on the page.
  case page
  /// Nobody is asked: it goes back at once as the account of that login, as GitHub does for an application that was
  /// authorised before.
  case login(String)
  /// Nobody is asked: it goes back at once with that error, such as `access_denied` or `application_suspended`.
  case error(String)

  /// As `POST /_sign_in` takes it: `{"login": "octocat"}`, `{"error": "access_denied"}`, `{}` for the page.
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

  /// The same as JSON.
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
