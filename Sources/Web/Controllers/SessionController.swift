import Chat
import HTTP
import HTTPServer

/// `/session`: this browser's own session. Signing in, who am I, signing out.
struct SessionController: Controller {
  let core: Core
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.open(.post, "/session", bodyLimit: 8 * 1024) { try await create($0) }
    routes.signedIn(.get, "/session") { try await show($0) }
    routes.signedIn(.delete, "/session") { try await end($0) }
  }

  private func create(_ request: Request) async throws -> Response {
    var input = try JSONInput(request)
    let email = input.text("email") ?? ""
    let password = input.text("password") ?? ""
    try input.check()
    do {
      let signedIn = try await core.accounts.signIn(
        email: email, password: password, userAgent: SessionAnswers.userAgent(of: request),
        address: ClientAddress.key(of: request.remoteAddress))
      return try await sessions.begin(.ok, signedIn, request)
    } catch ChatError.unauthenticated {
      // Which of the two it was is nobody's business (A2, SECURITY 7).
      throw Problem(name: .unauthenticated, status: .unauthorized, detail: "The email or the password is wrong.")
    }
  }

  private func show(_ visit: Visit) async throws -> Response {
    let user = try await core.accounts.ownUser(visit.userID)
    return Answer.entity(visit.request) { $0.value(user, core.presence(for: visit)) }
  }

  private func end(_ visit: Visit) async throws -> Response {
    try await core.accounts.signOut(visit.session)
    return sessions.ended(Answer.noContent)
  }
}

/// What signing up and signing in have in common.
struct SessionAnswers: Sendable {
  let core: Core
  let authentication: Authentication

  /// The answer to a successful sign-in: the person, and a new secret in place of an older one, whose session ends
  /// (SECURITY 1: rotated at sign-in).
  func begin(_ status: Status, _ signedIn: SignedIn, _ request: Request) async throws -> Response {
    let answer = Answer.json(status) { $0.value(signedIn.ownUser, core.presence(for: signedIn.session.userID)) }
    return try await begin(answer, signedIn, request)
  }

  /// `response`, by which the browser keeps a new secret in place of an older one, whose session ends.
  func begin(_ response: Response, _ signedIn: SignedIn, _ request: Request) async throws -> Response {
    if let older = try await authentication.session(of: request) { try await core.accounts.signOut(older) }
    var response = response
    authentication.cookie.set(signedIn.secret, in: &response.fields)
    return response
  }

  /// `response`, by which the browser forgets the secret.
  func ended(_ response: Response) -> Response {
    var response = response
    authentication.cookie.clear(in: &response.fields)
    return response
  }

  /// What the browser calls itself, cut to what a session keeps.
  static func userAgent(of request: Request) -> String { String((request.head[.userAgent] ?? "").prefix(200)) }
}
