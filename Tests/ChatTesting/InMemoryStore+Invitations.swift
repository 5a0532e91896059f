import Chat

extension InMemoryStore {
  func createInvitation(_ new: NewInvitation, limit: Int) async throws -> Invitation {
    try write { state throws(ChatError) in
      if let inviter = new.inviterID, state.users[inviter] == nil { throw .notFound }
      if let room = new.roomID {
        guard let inviter = new.inviterID else { throw .notFound }
        _ = try group(room, moderatedBy: inviter, state)
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

  func invitation(secretHash: [UInt8], at time: Timestamp) async throws -> Invitation {
    try read { state throws(ChatError) in try usable(secretHash, time, state) }
  }

  func accept(_ secretHash: [UInt8], by user: UserID, at time: Timestamp) async throws -> Room {
    try write { state throws(ChatError) in
      guard state.users[user] != nil else { throw .notFound }
      let invitation = try usable(secretHash, time, state)
      guard let id = invitation.roomID, let room = state.rooms[id] else { throw .conflict("It leads nowhere.") }
      if !room.members.contains(user) {
        guard !room.bans.contains(user) else { throw .forbidden("You are banned.") }
        try letIn(user, id, .member, by: user, at: time, &state)
        state.invitations[invitation.id]?.invitation.uses += 1
      }
      return try view(try stored(id, user, state), user, state)
    }
  }

  /// For creating an account: an invalid token is a field error.
  @discardableResult
  func useInvitation(
    _ secretHash: [UInt8], at time: Timestamp, _ state: inout State
  ) throws(ChatError) -> Invitation {
    do throws(ChatError) {
      let found = try usable(secretHash, time, state)
      state.invitations[found.id]?.invitation.uses += 1
      if found.roomID == nil, let inviter = found.inviter?.id { _ = try logOwn(inviter, &state) }
      return found
    } catch {
      switch error {
      case .over(let refusal): throw .invalid([refusal])
      default: throw .invalid([Invitation.unknown])
      }
    }
  }

  private func usable(_ secretHash: [UInt8], _ time: Timestamp, _ state: State) throws(ChatError) -> Invitation {
    guard let found = state.invitations.values.first(where: { $0.secretHash == secretHash })?.invitation else {
      throw .notFound
    }
    if let end = end(found, time, state) { throw .over(end.refusal) }
    return fresh(found, state)
  }

  /// An invitation to a room is open while its inviter moderates the room.
  private func end(_ invitation: Invitation, _ time: Timestamp, _ state: State) -> Invitation.End? {
    guard let room = invitation.roomID else { return invitation.end(at: time) }
    let role = invitation.inviter.flatMap { state.rooms[room]?.views[$0.id]?.role }
    return role == .owner || role == .admin ? invitation.end(at: time) : .ended
  }

  private func open(_ room: RoomID?, _ inviter: UserID?, _ time: Timestamp, _ state: State) -> [Invitation] {
    state.invitations.values.map(\.invitation)
      .filter { end($0, time, state) == nil && $0.roomID == room && (inviter == nil || $0.inviter?.id == inviter) }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map { fresh($0, state) }
  }

  private func fresh(_ invitation: Invitation, _ state: State) -> Invitation {
    var invitation = invitation
    invitation.inviter = invitation.inviter.flatMap { state.users[$0.id] }
    return invitation
  }
}
