import Chat
import HTTP
import HTTPServer

/// `POST /accounts`: signing up with an address and a password (A2).
struct AccountsController: Controller {
  let core: Core
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.open(.post, "/accounts", bodyLimit: 8 * 1024) { try await create($0) }
  }

  private func create(_ request: Request) async throws -> Response {
    var input = try JSONInput(request)
    let email = input.text("email") ?? ""
    let password = input.text("password") ?? ""
    let firstName = input.text("first_name") ?? ""
    let lastName = input.text("last_name") ?? ""
    let invitation = input.text("invitation")
    try input.check { () throws(ChatError) in
      _ = try AccountRules.check(email: email, password: password, firstName: firstName, lastName: lastName)
    }
    let signedIn = try await core.accounts.signUp(
      email: email, password: password, firstName: firstName, lastName: lastName,
      invitation: invitation, userAgent: SessionAnswers.userAgent(of: request),
      address: ClientAddress.key(of: request.remoteAddress))
    return try await sessions.begin(.created, signedIn, request)
  }
}
