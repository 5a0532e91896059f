import Chat
import HTTP
import HTTPServer

/// `/invitations`: letting people in (A3), and into groups (R1).
struct InvitationsController: Controller {
  let core: Core
  /// What links begin with; nil makes them paths, since Host is what a client says (SECURITY 14).
  let publicOrigin: String?

  func add(to routes: inout Routes) {
    routes.signedIn(.post, "/invitations", bodyLimit: 1024) { try await create($0, in: nil) }
    routes.signedIn(.get, "/invitations") { visit in
      try await list(core.accounts.invitations.list(for: visit.userID), visit)
    }
    routes.signedIn(.delete, "/invitations/:invitation") { try await end($0) }
    // Here it is a token; the name is the same, since a description of the API has one path for both.
    routes.open(.get, "/invitations/:invitation") { try await show($0) }
    routes.signedIn(.post, "/invitations/:invitation", bodyLimit: 1024) { visit in
      let token = visit.request.parameters["invitation"] ?? ""
      try JSONInput.checkTypeIfAny(visit.request)
      let room = try await core.accounts.invitations.accept(token: token, by: visit.userID)
      return Answer.json { $0.value(room, core.presence(for: visit)) }
    }
    routes.signedIn(.post, "/rooms/:room/invitations", bodyLimit: 1024) { try await create($0, in: $0.id("room")) }
    routes.signedIn(.get, "/rooms/:room/invitations") { visit in
      try await list(core.accounts.invitations.list(into: visit.id("room"), for: visit.userID), visit)
    }
    routes.signedIn(.delete, "/rooms/:room/invitations/:invitation") { visit in
      try await core.accounts.invitations.end(visit.id("invitation"), into: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }

  private func create(_ visit: Visit, in room: RoomID?) async throws -> Response {
    // Whether there is such a room comes before what is wrong with the input: nothing is told to outsiders.
    if let room { _ = try await core.store.room(room, for: visit.userID) }
    var input = try JSONInput(visit.request)
    let expiresIn = input.integer("expires_in")
    let maxUses = input.integer("max_uses")
    try input.check { () throws(ChatError) in try Invitations.check(expiresIn: expiresIn, maxUses: maxUses) }
    let invitations = core.accounts.invitations
    let made =
      if let room {
        try await invitations.create(into: room, by: visit.userID, expiresIn: expiresIn, maxUses: maxUses)
      } else {
        try await invitations.create(by: visit.userID, expiresIn: expiresIn, maxUses: maxUses)
      }
    return Answer.json(.created) { json in
      json.object { json in
        json.members(of: made.invitation, core.presence(for: visit))
        json.member("url", (publicOrigin ?? "") + InvitationLink.path(made.token))
      }
    }
  }

  private func list(_ invitations: [Invitation], _ visit: Visit) -> Response {
    Answer.entity(visit.request) { json in
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
    let makesAccounts = try await core.accounts.invitations.makesAccounts(invitation)
    let room: Room? = if let id = invitation.roomID { try await core.store.invitedRoom(id) } else { nil }
    return Answer.entity(request) { json in
      json.object { json in
        json.name("room")
        if let room { json.object { $0.preview(of: room) } } else { json.null() }
        json.name("inviter")
        if let inviter = invitation.inviter { json.value(inviter, NobodyOnline()) } else { json.null() }
        json.member("makes_accounts", makesAccounts)
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
  /// What who is invited is told of a room before he is in.
  fileprivate mutating func preview(of room: Room) {
    member("id", room.id.description)
    member("name", room.name)
    member("topic", room.topic)
    member("avatar_url", room.avatarKey.path)
    member("members_count", room.membersCount)
  }

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
