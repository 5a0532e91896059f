import Chat
import HTTP
import HTTPServer

/// `/auth/github`: the way to GitHub, and back with GitHub's word for who somebody is (A1, A6). Pages, not the API: people
/// are led from one to the next.
struct GitHubSignInController: Controller {
  let core: Core
  let sessions: SessionAnswers
  /// Nil where it is not set up.
  let setup: GitHubSetup?
  let cookies: FlowCookies
  let log: GitHubLog
  let errorPage: ErrorPage

  func add(to routes: inout Routes) {
    routes.page("/auth/github") { try await begin($0) }
    routes.page("/auth/github/callback") { try await end($0) }
  }

  // MARK: The way there

  private func begin(_ request: Request) async throws -> Response {
    let query = request.head.query
    let returnTo = ReturnAddress(query["return_to"]) ?? .chats
    try core.accounts.checkGitHubTries(from: ClientAddress.key(of: request.remoteAddress))
    guard let setup else {
      log.note(.misconfigured, request, error: "not_set_up")
      return try await failed(.misconfigured, returnTo, request)
    }
    // A page of another site may not change who is signed in here; people choose that at the door.
    if let site = request.head["sec-fetch-site"], site != "same-origin", site != "none" {
      return redirect(to: signInPage(returnTo))
    }
    if setup.isElsewhere(request.head) {
      return redirect(to: setup.origin() + "/auth/github" + (query.isEmpty ? "" : "?" + query.raw))
    }
    let invitation = GitHubFlow.invitation(query["invitation"])
    let flow = GitHubFlow(
      purpose: { _ in .signIn(invitation: invitation) }, returnTo: returnTo, at: core.clock.now)
    var response = redirect(to: setup.address(for: flow))
    cookies.begin(flow, request.head, in: &response.fields)
    return response
  }

  // MARK: The way back

  private func end(_ request: Request) async throws -> Response {
    let address = ClientAddress.key(of: request.remoteAddress)
    try core.accounts.checkGitHubTries(from: address)
    let state = request.head.query["state"] ?? ""
    // First of all: without it, nothing else that comes means anything.
    guard let flow = cookies.flow(state, of: request.head) else {
      core.accounts.recordFailedGitHubTry(from: address)
      log.note(.state, request)
      return try await failed(.state, .chats, request)
    }
    var response: Response
    do {
      response = try await follow(flow, request)
    } catch let refusal as GitHubRefusal {
      if refusal.counts { core.accounts.recordFailedGitHubTry(from: address) }
      response = try await failed(refusal, flow, request)
    } catch {
      guard let problem = Problem(error, now: core.clock.now) else { throw error }
      response = problem.response(to: request, page: errorPage)
    }
    // It was good for this one answer, whatever that is.
    cookies.end(state, in: &response.fields)
    return response
  }

  private func follow(_ flow: GitHubFlow, _ request: Request) async throws -> Response {
    let query = request.head.query
    guard flow.isGood(at: core.clock.now) else { throw noted(.expired, request) }
    if let error = query["error"] { throw noted(GitHubRefusal(error: error), error: error, request) }
    guard let code = query["code"], !code.isEmpty else { throw noted(.state, request) }
    guard let setup else { throw noted(.misconfigured, error: "not_set_up", request) }
    if case .link(let binding) = flow.purpose { _ = try await session(bound: binding, flow, request) }
    let account: GitHubAccount
    do {
      account = try await setup.identity.account(
        code: code, codeVerifier: flow.verifier, redirectURI: setup.redirectURI)
    } catch {
      let refusal = GitHubRefusal(error)
      log.note(refusal, request, failure: error)
      throw refusal
    }
    do {
      switch flow.purpose {
      case .signIn(let invitation): return try await signIn(account, invitation, flow, request)
      case .link(let binding):
        // Looked at again: while GitHub was asked, the session may have ended.
        let session = try await session(bound: binding, flow, request)
        _ = try await core.accounts.linkGitHub(account, to: session.userID)
        return redirect(to: flow.returnTo.path)
      }
    } catch {
      guard let refusal = GitHubRefusal(error) else { throw error }
      throw noted(refusal, request)
    }
  }

  private func signIn(
    _ account: GitHubAccount, _ invitation: String?, _ flow: GitHubFlow, _ request: Request
  ) async throws -> Response {
    let entered = try await core.accounts.signInWithGitHub(
      account, invitation: invitation, userAgent: SessionAnswers.userAgent(of: request),
      address: ClientAddress.key(of: request.remoteAddress))
    var target = flow.returnTo.path
    // A new account has used its invitation: there is nothing left to accept.
    if entered.isNew, target.hasPrefix(InvitationLink.path("")) {
      target = entered.roomID.map { "/chats/\($0)" } ?? ReturnAddress.chats.path
    }
    return try await sessions.begin(redirect(to: target), entered.signedIn, request)
  }

  /// The session that began to link, which must be the one that comes back.
  private func session(bound binding: String, _ flow: GitHubFlow, _ request: Request) async throws -> Session {
    guard let session = try await sessions.authentication.session(of: request),
      GitHubFlow.areSame(GitHubFlow.binding(session, state: flow.state), binding)
    else { throw noted(.state, request) }
    return session
  }

  // MARK: Failures

  private func noted(_ refusal: GitHubRefusal, error: String? = nil, _ request: Request) -> GitHubRefusal {
    log.note(refusal, request, error: error)
    return refusal
  }

  private func failed(_ refusal: GitHubRefusal, _ flow: GitHubFlow, _ request: Request) async throws -> Response {
    if case .link = flow.purpose { return redirect(to: flow.returnTo.adding("github", refusal.rawValue)) }
    return try await failed(refusal, flow.returnTo, request)
  }

  /// Tells it where the person is: at the door, or inside, if he is signed in all the same.
  private func failed(
    _ refusal: GitHubRefusal, _ returnTo: ReturnAddress, _ request: Request
  ) async throws -> Response {
    if try await sessions.authentication.session(of: request) != nil {
      return redirect(to: ReturnAddress.settings.adding("github", refusal.rawValue))
    }
    let page = signInPage(returnTo)
    return redirect(to: page + (page.contains("?") ? "&" : "?") + "github=" + refusal.rawValue)
  }

  private func signInPage(_ returnTo: ReturnAddress) -> String {
    returnTo == .chats ? "/sign-in" : "/sign-in?return_to=" + HTTP.PercentEncoding.encode(returnTo.path)
  }

  private func redirect(to path: String) -> Response {
    Response(status: .seeOther, fields: [.location: path, .cacheControl: "no-store"])
  }
}
