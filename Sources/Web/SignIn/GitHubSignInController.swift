import Base
import Chat
import HTTP
import HTTPServer

/// `/auth/github`: redirects to GitHub and handles the return. Pages, not the API: people are redirected from one to
/// the next.
struct GitHubSignInController: Controller {
  let core: Core
  let sessions: SessionAnswers
  /// Nil if GitHub sign-in is not configured.
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
    // A page on another site may not change who is signed in here; people start this on the sign-in page.
    if let site = request.head[.secFetchSite], site != "same-origin", site != "none" {
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
    // Checked first: without the flow, the other parameters mean nothing.
    guard let flow = cookies.flow(state, of: request.head) else {
      // Not counted as a failure: any page can make its visitors fetch this address, as an image for example.
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
    // The flow is valid for this one response, whatever that is.
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
        // Checked again: the session may have ended during the request to GitHub.
        let session = try await session(bound: binding, flow, request)
        _ = try await core.accounts.linkGitHub(account, to: session.userID)
        sessions.log.note(.gitHubLinked, request, user: session.userID, ["github": "\(account.id)"])
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
    sessions.log.note(
      entered.isNew ? .signUp : .signIn, request, user: entered.signedIn.session.userID, ["by": "github"])
    var target = flow.returnTo.path
    // A new account has used its invitation: there is nothing left to accept.
    if entered.isNew, target.hasPrefix(InvitationLink.path("")) {
      target = entered.roomID.map { "/chats/\($0)" } ?? ReturnAddress.chats.path
    }
    return try await sessions.begin(redirect(to: target), entered.signedIn, request)
  }

  /// The session that started to link, which must be the one that returns.
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

  /// Reports it where the person is: on the sign-in page, or in the app if they are signed in.
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
    returnTo == .chats ? "/sign-in" : "/sign-in?return_to=" + PercentEncoding.encode(returnTo.path)
  }

  private func redirect(to path: String) -> Response {
    Response(status: .seeOther, fields: [.location: path, .cacheControl: "no-store"])
  }
}
