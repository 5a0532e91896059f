import Chat
import HTTP
import HTTPServer

/// `POST /accounts`: signing up with an address and a password.
struct AccountsController: Controller {
  let core: Core
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.open(
      .post, "/accounts", "Sign up", members: ["email", "password", "first_name", "last_name", "invitation"],
      answers: .created("own user"), bodyLimit: 8 * 1024
    ) { try await create($0) }
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
    let signedIn = try await sessions.log.watching(request) {
      try await core.accounts.signUp(
        email: email, password: password, firstName: firstName, lastName: lastName,
        invitation: invitation, userAgent: SessionAnswers.userAgent(of: request),
        address: ClientAddress.key(of: request.remoteAddress))
    }
    sessions.log.note(.signUp, request, user: signedIn.session.userID)
    return try await sessions.begin(.created, signedIn, request)
  }
}
