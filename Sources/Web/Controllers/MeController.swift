import Chat
import HTTP
import HTTPServer

/// `PATCH /me`: one's own profile (A4).
struct MeController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(.patch, "/me", bodyLimit: 8 * 1024) { try await update($0) }
  }

  private func update(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let firstName = input.text("first_name")
    let lastName = input.text("last_name")
    // No setting is kept yet: those that a later client sends are unknown members, and ignored as such.
    input.expectObject("settings")
    try input.check()
    let user = try await core.accounts.rename(visit.userID, firstName: firstName, lastName: lastName)
    return Answer.json { $0.value(user, core.presence) }
  }
}
