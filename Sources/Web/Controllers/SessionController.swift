import Chat
import HTTP
import HTTPServer

/// `/session`: this browser's session: signs in and out, and returns the person.
struct SessionController: Controller {
  let core: Core
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.open(
      .post, "/session", "Sign in", members: ["email", "password"], answers: .ok("own user"), bodyLimit: 8 * 1024
    ) { try await create($0) }
    routes.signedIn(.get, "/session", "Who is signed in", answers: .ok("own user")) { try await show($0) }
    routes.signedIn(.delete, "/session", "Sign out", answers: .noContent) { try await end($0) }
  }

  private func create(_ request: Request) async throws -> Response {
    var input = try JSONInput(request)
    let email = input.text("email") ?? ""
    let password = input.text("password") ?? ""
    try input.check()
    do {
      let signedIn = try await sessions.log.watching(request) {
        try await core.accounts.signIn(
          email: email, password: password, userAgent: SessionAnswers.userAgent(of: request),
          address: ClientAddress.key(of: request.remoteAddress), device: sessions.device.token(of: request.head))
      }
      sessions.log.note(.signIn, request, user: signedIn.session.userID, ["by": "password"])
      return try await sessions.begin(.ok, signedIn, request)
    } catch ChatError.unauthenticated {
      // Does not reveal which of the two was wrong.
      throw Problem(name: .unauthenticated, status: .unauthorized, detail: "The email or the password is wrong.")
    }
  }

  private func show(_ visit: Visit) async throws -> Response {
    let user = try await core.accounts.ownUser(visit.userID)
    return Answer.entity(visit.request, fields: [.cacheControl: "no-store"]) {
      $0.value(user, core.presence(for: visit))
    }
  }

  private func end(_ visit: Visit) async throws -> Response {
    try await core.accounts.signOut(visit.session)
    sessions.log.note(.signOut, visit.request, user: visit.userID)
    return sessions.ended(Answer.noContent)
  }
}

/// The responses shared by sign-up and sign-in.
struct SessionAnswers: Sendable {
  let core: Core
  let authentication: Authentication
  let device: DeviceCookie
  let log: SecurityLog

  /// Answers a successful sign-in with the person and a new session secret; the browser's former session has ended.
  func begin(_ status: Status, _ signedIn: SignedIn, _ request: Request) async throws -> Response {
    let answer = Answer.json(status) { $0.value(signedIn.ownUser, core.presence(for: signedIn.session.userID)) }
    return try await begin(answer, signedIn, request)
  }

  /// Adds the new session's cookie to `response`, and ends the browser's former session.
  func begin(_ response: Response, _ signedIn: SignedIn, _ request: Request) async throws -> Response {
    if let older = try await authentication.session(of: request) { try await core.accounts.signOut(older) }
    var response = response
    authentication.cookie.set(signedIn.secret, in: &response.fields)
    if let token = signedIn.device { device.set(token, in: &response.fields) }
    return response
  }

  /// Clears the cookie in `response`, and what the browser has cached.
  func ended(_ response: Response) -> Response {
    var response = response
    response.fields.set("clear-site-data", "\"cache\"")
    authentication.cookie.clear(in: &response.fields)
    return response
  }

  /// The User-Agent, cut to the length that a session stores.
  static func userAgent(of request: Request) -> String { String((request.head[.userAgent] ?? "").prefix(200)) }
}
