import Chat
import HTTP
import HTTPServer

/// `/me/github`: linking one's account to a GitHub account, and ending that (A6).
struct GitHubLinkController: Controller {
  let core: Core
  /// Nil where it is not set up.
  let setup: GitHubSetup?
  let cookies: FlowCookies

  func add(to routes: inout Routes) {
    routes.signedIn(.post, "/me/github", bodyLimit: 4 * 1024) { try await begin($0) }
    routes.signedIn(.delete, "/me/github") { visit in
      let user = try await core.accounts.unlinkGitHub(of: visit.userID)
      return Answer.json { $0.value(user, core.presence(for: visit)) }
    }
  }

  private func begin(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let wanted = input.text("return_to")
    try input.check()
    guard let setup else {
      throw ChatError.conflict("Signing in with GitHub is not set up here. Whoever runs this Hubbub can do that.")
    }
    guard !setup.isElsewhere(visit.request.head) else {
      throw ChatError.conflict("GitHub leads back to \(setup.origin()). Open Hubbub there to link your account.")
    }
    guard try await core.accounts.ownUser(visit.userID).user.githubID == nil else {
      throw ChatError.conflict("A GitHub account is linked already. Unlink it first.")
    }
    let flow = GitHubFlow(
      purpose: { .link(binding: GitHubFlow.binding(visit.session, state: $0)) },
      returnTo: ReturnAddress(wanted) ?? .settings, at: core.clock.now)
    var response = Answer.json { $0.object { $0.member("url", setup.address(for: flow)) } }
    cookies.begin(flow, visit.request.head, in: &response.fields)
    return response
  }
}
