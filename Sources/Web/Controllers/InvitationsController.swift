import Chat
import HTTP
import HTTPServer

/// `/invitations`: invitations to the instance and to groups.
struct InvitationsController: Controller {
  let core: Core
  /// The base of links; nil makes them paths, since Host cannot be trusted.
  let publicOrigin: String?

  func add(to routes: inout Routes) {
    routes.signedIn(
      .post, "/invitations", "Invite to this Hubbub; url is in this answer only", members: ["expires_in", "max_uses"],
      answers: .created("invitation"), bodyLimit: 1024, allowance: .invitations
    ) { try await create($0, in: nil) }
    routes.signedIn(
      .get, "/invitations", "My open invitations to this Hubbub; for an admin all of them", answers: .list("invitation")
    ) { visit in
      try await list(core.accounts.invitations.list(for: visit.userID), visit)
    }
    routes.signedIn(.delete, "/invitations/:invitation", "End an invitation to this Hubbub", answers: .noContent) {
      try await end($0)
    }
    // A token here; the parameter's name is shared, since OpenAPI has one path for both.
    routes.open(
      .get, "/invitations/:invitation", "What an invitation's token leads to; open to all",
      answers: .ok("invitation target")
    ) { try await show($0) }
    routes.signedIn(
      .post, "/invitations/:invitation", "Accept an invitation into a group, by its token", answers: .ok("room"),
      bodyLimit: 1024, allowance: .invitations
    ) { visit in
      let token = visit.request.parameters["invitation"] ?? ""
      try JSONInput.checkTypeIfAny(visit.request)
      let room = try await core.accounts.invitations.accept(token: token, by: visit.userID)
      return Answer.json { $0.value(room) }
    }
    routes.signedIn(
      .post, "/rooms/:room/invitations", "Invite into a group; url is in this answer only",
      members: ["expires_in", "max_uses"], answers: .created("invitation"), bodyLimit: 1024, allowance: .invitations
    ) { try await create($0, in: $0.id("room")) }
    routes.signedIn(.get, "/rooms/:room/invitations", "The open invitations into a group", answers: .list("invitation"))
    { visit in
      try await list(core.accounts.invitations.list(into: visit.id("room"), for: visit.userID), visit)
    }
    routes.signedIn(
      .delete, "/rooms/:room/invitations/:invitation", "End an invitation into a group", answers: .noContent
    ) { visit in
      try await core.accounts.invitations.end(visit.id("invitation"), into: visit.id("room"), by: visit.userID)
      return Answer.noContent
    }
  }

  private func create(_ visit: Visit, in room: RoomID?) async throws -> Response {
    // Check membership before the input: outsiders must learn nothing.
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
        json.members(of: made.invitation)
        json.member("url", (publicOrigin ?? "") + InvitationLink.path(made.token))
      }
    }
  }

  private func list(_ invitations: [Invitation], _ visit: Visit) -> Response {
    Answer.entity(visit.request) { json in
      json.array { json in
        for invitation in invitations { json.object { $0.members(of: invitation) } }
      }
    }
  }

  private func end(_ visit: Visit) async throws -> Response {
    try await core.accounts.invitations.end(visit.id("invitation"), by: visit.userID)
    return Answer.noContent
  }

  /// Whoever holds the token may see who invites.
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
        json.value(invitation.inviter.map { Face($0) })
        json.member("makes_accounts", makesAccounts)
      }
    }
  }
}

/// The address of an invitation's page.
package enum InvitationLink {
  /// The path for a token, relative to the instance's address.
  package static func path(_ token: String) -> String { "/invite/" + token }
}

extension JSONWriter {
  /// The parts of a room visible to invited people before they join.
  fileprivate mutating func preview(of room: Room) {
    member("id", room.id.description)
    member("name", room.name)
    member("topic", room.topic)
    member("avatar_url", room.avatarKey.path)
    member("members_count", room.membersCount)
  }

  /// An invitation as those who may end it see it; never its token.
  mutating func members(of invitation: Invitation) {
    member("id", invitation.id.description)
    name("inviter")
    value(invitation.inviter.map { Face($0) })
    member("created_at", invitation.createdAt.description)
    member("expires_at", invitation.expiresAt?.description)
    name("max_uses")
    if let maxUses = invitation.maxUses { value(maxUses) } else { null() }
    member("uses", invitation.uses)
  }
}
