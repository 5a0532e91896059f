import Chat
import HTTP
import HTTPServer

/// `/invitations`: letting people in (A3).
struct InvitationsController: Controller {
  let core: Core
  /// What links begin with; nil makes them paths, since Host is what a client says (SECURITY 14).
  let publicOrigin: String?

  func add(to routes: inout Routes) {
    routes.signedIn(.post, "/invitations", bodyLimit: 1024) { try await create($0) }
    routes.signedIn(.get, "/invitations") { try await list($0) }
    routes.signedIn(.delete, "/invitations/:invitation") { try await end($0) }
    // Here it is a token; the name is the same, since a description of the API has one path for both.
    routes.open(.get, "/invitations/:invitation") { try await show($0) }
  }

  private func create(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let expiresIn = input.integer("expires_in")
    let maxUses = input.integer("max_uses")
    try input.check { () throws(ChatError) in try Invitations.check(expiresIn: expiresIn, maxUses: maxUses) }
    let made = try await core.accounts.invitations.create(by: visit.userID, expiresIn: expiresIn, maxUses: maxUses)
    return Answer.json(.created) { json in
      json.object { json in
        json.members(of: made.invitation, core.presence(for: visit))
        json.member("url", (publicOrigin ?? "") + InvitationLink.path(made.token))
      }
    }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let invitations = try await core.accounts.invitations.list(for: visit.userID)
    return Answer.entity(visit.request) { json in
      json.array { json in
        for invitation in invitations { json.object { $0.members(of: invitation, core.presence(for: visit)) } }
      }
    }
  }

  private func end(_ visit: Visit) async throws -> Response {
    try await core.accounts.invitations.end(visit.id("invitation"), by: visit.userID)
    return Answer.noContent
  }

  /// Whoever holds the token may see who invites, but not whether that person is online.
  private func show(_ request: Request) async throws -> Response {
    let token = request.parameters["invitation"] ?? ""
    let invitation = try await core.accounts.invitations.invitation(token: token)
    return Answer.entity(request) { json in
      json.object { json in
        json.name("room")
        json.null()
        json.name("inviter")
        if let inviter = invitation.inviter { json.value(inviter, NobodyOnline()) } else { json.null() }
      }
    }
  }
}

/// The address of an invitation's page.
public enum InvitationLink {
  /// The path for a token: what follows the instance's own address.
  public static func path(_ token: String) -> String { "/invite/" + token }
}

extension JSONWriter {
  /// An invitation as those see it who may end it; never its token.
  mutating func members(of invitation: Invitation, _ presence: any PresenceReading) {
    member("id", invitation.id.description)
    name("inviter")
    if let inviter = invitation.inviter { value(inviter, presence) } else { null() }
    member("created_at", invitation.createdAt.description)
    member("expires_at", invitation.expiresAt?.description)
    name("max_uses")
    if let maxUses = invitation.maxUses { value(maxUses) } else { null() }
    member("uses", invitation.uses)
  }
}
