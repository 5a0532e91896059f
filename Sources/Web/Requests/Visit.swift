import Chat
import HTTP
import HTTPServer

/// A request by somebody who is signed in.
struct Visit: Sendable {
  /// The request.
  let request: Request
  /// The session that its cookie names.
  let session: Session
  /// Who is signed in.
  var userID: UserID { session.userID }

  /// An id in the path. One that is none is nobody's: 404, as for one that is not known.
  func id<Subject>(_ parameter: String, of subject: Subject.Type = Subject.self) throws(ChatError) -> ID<Subject> {
    guard let id = request.parameters[parameter].flatMap({ ID<Subject>($0) }) else { throw .notFound }
    return id
  }

  /// A message's number in the path.
  func seq() throws(ChatError) -> Int {
    guard let seq = request.parameters["seq"].flatMap({ Int($0) }), seq > 0 else { throw .notFound }
    return seq
  }
}

/// Finds out whose request it is.
struct Authentication: Sendable {
  let accounts: Accounts
  let cookie: SessionCookie

  /// The session of a request; nil without a valid cookie.
  func session(of request: Request) async throws -> Session? {
    guard let secret = cookie.secret(of: request.head) else { return nil }
    return try await accounts.session(secret: secret)
  }

  /// The visit that a request is; 401 without a valid session.
  func visit(_ request: Request) async throws -> Visit {
    guard let session = try await session(of: request) else { throw Problem.unauthenticated }
    return Visit(request: request, session: session)
  }
}
