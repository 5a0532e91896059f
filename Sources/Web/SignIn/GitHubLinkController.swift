import Chat
import HTTP
import HTTPServer

/// `/me/github`: links and unlinks a GitHub account.
struct GitHubLinkController: Controller {
  let core: Core
  /// Nil if GitHub sign-in is not configured.
  let setup: GitHubSetup?
  let cookies: FlowCookies
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.signedIn(
      .post, "/me/github", "Where to send the browser to link a GitHub account to mine",
      members: ["return_to", "password"], answers: .ok("link start"), bodyLimit: 4 * 1024
    ) { try await begin($0) }
    routes.signedIn(
      .delete, "/me/github", "Unlink my GitHub account; 409 where it is the only way in", members: ["password"],
      answers: .ok("own user"), bodyLimit: 4 * 1024
    ) { try await end($0) }
  }

  /// Linking and unlinking change who can sign in, so both require the password or a recent sign-in.
  private func confirm(_ password: String?, _ visit: Visit) async throws {
    try await sessions.log.watching(visit.request, user: visit.userID) {
      try await core.accounts.confirm(
        visit.session, password: password ?? "", address: ClientAddress.key(of: visit.request.remoteAddress),
        device: sessions.device.token(of: visit.request.head))
    }
  }

  private func end(_ visit: Visit) async throws -> Response {
    var password: String?
    if !visit.request.body.isEmpty {
      var input = try JSONInput(visit.request)
      password = input.text("password")
      try input.check()
    }
    try await confirm(password, visit)
    let user = try await core.accounts.unlinkGitHub(of: visit.userID)
    sessions.log.note(.gitHubUnlinked, visit.request, user: visit.userID)
    return Answer.json { $0.value(user, core.presence(for: visit)) }
  }

  private func begin(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let wanted = input.text("return_to")
    let password = input.text("password")
    try input.check()
    guard let setup else {
      throw ChatError.conflict("GitHub sign-in is not configured here. The operator of this Hubbub can do that.")
    }
    guard !setup.isElsewhere(visit.request.head) else {
      throw ChatError.conflict("GitHub redirects to \(setup.origin()). Open Hubbub there to link your account.")
    }
    guard try await core.accounts.ownUser(visit.userID).user.githubID == nil else {
      throw ChatError.conflict("A GitHub account is linked already. Unlink it first.")
    }
    try await confirm(password, visit)
    let flow = GitHubFlow(
      purpose: { .link(binding: GitHubFlow.binding(visit.session, state: $0)) },
      returnTo: ReturnAddress(wanted) ?? .settings, at: core.clock.now)
    var response = Answer.json { $0.object { $0.member("url", setup.address(for: flow)) } }
    cookies.begin(flow, visit.request.head, in: &response.fields)
    return response
  }
}
