import Chat
import HTTP
import HTTPServer

/// A request by a signed-in person.
struct Visit: Sendable {
  let request: Request
  /// The session identified by its cookie.
  let session: Session
  /// The rate limits; nil disables them.
  let allowances: Allowances?
  /// The signed-in person.
  var userID: UserID { session.userID }

  /// An id in the path. An invalid one is 404, like an unknown one.
  func id<Subject>(_ parameter: String, of subject: Subject.Type = Subject.self) throws(ChatError) -> ID<Subject> {
    guard let id = request.parameters[parameter].flatMap({ ID<Subject>($0) }) else { throw .notFound }
    return id
  }

  /// A message's `seq` in the path.
  func seq() throws(ChatError) -> Int {
    guard let seq = request.parameters["seq"].flatMap({ Int($0) }), seq > 0 else { throw .notFound }
    return seq
  }
}

/// Authenticates requests.
struct Authentication: Sendable {
  let accounts: Accounts
  let cookie: SessionCookie
  let allowances: Allowances?

  /// The session of a request; nil without a valid cookie.
  func session(of request: Request) async throws -> Session? {
    guard let secret = cookie.secret(of: request.head) else { return nil }
    return try await accounts.session(secret: secret)
  }

  /// The authenticated request; 401 without a valid session.
  func visit(_ request: Request) async throws -> Visit {
    guard let session = try await session(of: request) else { throw Problem.unauthenticated }
    return Visit(request: request, session: session, allowances: allowances)
  }
}
