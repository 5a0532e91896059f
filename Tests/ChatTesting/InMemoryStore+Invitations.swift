import Chat

extension InMemoryStore {
  func createInvitation(_ new: NewInvitation, limit: Int) async throws -> Invitation {
    try write { state throws(ChatError) in
      if let inviter = new.inviterID, state.users[inviter] == nil { throw .notFound }
      if let room = new.roomID {
        guard let inviter = new.inviterID else { throw .notFound }
        _ = try stored(room, inviter, state)
      }
      let inviter = new.roomID == nil ? new.inviterID : nil
      guard new.inviterID == nil || open(new.roomID, inviter, new.createdAt, state).count < limit else {
        throw .conflict("There are too many.")
      }
      let invitation = Invitation(
        id: new.id, roomID: new.roomID, inviter: new.inviterID.flatMap { state.users[$0] }, createdAt: new.createdAt,
        expiresAt: new.expiresAt, maxUses: new.maxUses)
      state.invitations[new.id] = (invitation, new.secretHash)
      return invitation
    }
  }

  func invitations(in room: RoomID?, of inviter: UserID?, at time: Timestamp) async throws -> [Invitation] {
    try read { state throws(ChatError) in open(room, inviter, time, state) }
  }

  func endInvitation(
    _ id: InvitationID, in room: RoomID?, of inviter: UserID?, at time: Timestamp
  ) async throws -> Bool {
    try write { state throws(ChatError) in
      guard open(room, inviter, time, state).contains(where: { $0.id == id }) else { return false }
      state.invitations[id]?.invitation.endedAt = time
      return true
    }
  }

  func invitation(secretHash: [UInt8], at time: Timestamp) async throws -> Invitation? {
    try read { state throws(ChatError) in
      state.invitations.values.first { $0.secretHash == secretHash && $0.invitation.isOpen(at: time) }
        .map { fresh($0.invitation, state) }
    }
  }

  func useInvitation(_ secretHash: [UInt8], at time: Timestamp, _ state: inout State) throws(ChatError) {
    let found = state.invitations.values.first { $0.secretHash == secretHash && $0.invitation.isOpen(at: time) }
    guard let found else {
      throw .invalid([FieldError(field: "invitation", code: "invalid", detail: "It has ended.")])
    }
    state.invitations[found.invitation.id]?.invitation.uses += 1
  }

  private func open(_ room: RoomID?, _ inviter: UserID?, _ time: Timestamp, _ state: State) -> [Invitation] {
    state.invitations.values.map(\.invitation)
      .filter { $0.isOpen(at: time) && $0.roomID == room && (inviter == nil || $0.inviter?.id == inviter) }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map { fresh($0, state) }
  }

  private func fresh(_ invitation: Invitation, _ state: State) -> Invitation {
    var invitation = invitation
    invitation.inviter = invitation.inviter.flatMap { state.users[$0.id] }
    return invitation
  }
}
